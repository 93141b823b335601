package dev.callbound.gateway.cli;

import dev.callbound.testkit.FaultServerMain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code callbound faults}. */
@Command(
    name = "faults",
    header = "Run an MCP server that misbehaves on demand, to try other clients against.",
    description = {
      "",
      "Its tools do what their names say: write_then_reset, read_hang, write_status and the like.",
      "It counts every effect: GET /_ledger tells how often each really happened. POST /_control",
      "changes its ways. Over HTTP it prints its URL as the first line.",
      ""
    },
    footer = {
      "",
      "Options of the server, each with a value:",
      "  --port N            where to listen; 0, the default, picks a free port",
      "  --path PATH         the endpoint; /mcp",
      "  --ledger FILE       keeps the ledger on disk as well",
      "  --token TOKEN       asks for this bearer token",
      "  --reply FORM        answers as auto, json or sse",
      "  --init-delay-ms N   takes its time to answer initialize, --list-delay-ms N to list tools",
      "  --tool-count N      adds N bulky tools; --page-size N lists them in pages",
      "  --max-version REV   speaks no later revision of MCP than this",
      "  --admin-port N      with --stdio: where /_ledger and /_control are",
      "and without:",
      "  --stdio             serves stdin and stdout instead",
      "  --stateless         keeps no sessions",
      "  --ignore-sigterm, --grandchild, --linger-ms N   are hard to stop, for who starts processes",
      "",
      "Example:",
      "  callbound faults --port 9090 &",
      "  curl -s http://127.0.0.1:9090/_ledger"
    })
final class FaultsCommand implements Callable<Integer> {
  /** They are the server's, which says what is wrong with them. */
  @Unmatched private List<String> options = new ArrayList<>();

  /** For picocli. */
  FaultsCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    FaultServerMain.main(options.toArray(String[]::new));
    return ExitCode.OK;
  }
}
