package dev.callbound.gateway.demo;

import dev.callbound.testkit.wire.JsonRpc;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code callbound demo}. */
@Command(
    name = "demo",
    header = "See what goes wrong without Callbound, and what it does about it.",
    description = {
      "",
      "Starts MCP servers that misbehave, and lets two clients do the same twelve tasks: one that",
      "retries on any error, and one that goes through Callbound. The servers count what really",
      "happened. Takes about 20 seconds, and uses no network but loopback. The record, the config",
      "and the servers' ledgers are left in a temporary folder.",
      ""
    })
public final class DemoCommand implements Callable<Integer> {
  @ArgGroup private Form form = new Form();

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  public DemoCommand() {}

  /** How the result is printed; at most one of these. */
  private static final class Form {
    @Option(names = "--json", description = "Print the numbers as JSON.")
    private boolean json;

    @Option(names = "--markdown", hidden = true, description = "Print the table as Markdown.")
    private boolean markdown;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = Objects.requireNonNull(spec, "picocli sets it").commandLine();
    PrintWriter out = line.getOut();
    // What a program is to read stands alone on stdout.
    PrintWriter chat = form.json || form.markdown ? line.getErr() : out;
    chat.printf(
        "Two clients do the same %d tasks; one retries on any error, one goes through Callbound.%n",
        Task.ALL.size());
    chat.flush();
    Path folder = Files.createTempDirectory("callbound-demo-");
    try (GatewayLog _ = GatewayLog.into(folder)) {
      Demo demo = new Demo(folder, (number, task, took) -> tell(chat, number, task, took));
      print(demo.run(), line.getColorScheme().ansi(), out);
      return 0;
    } catch (BrokenDemoException e) {
      PrintWriter err = line.getErr();
      err.println("callbound: the demo broke, please report it: " + e.getMessage());
      err.println("What it left behind is in " + folder);
      err.flush();
      return 1;
    }
  }

  private void print(Report report, Ansi ansi, PrintWriter out) {
    if (form.json) {
      out.println(JsonRpc.text(ReportJson.of(report)));
    } else if (form.markdown) {
      MarkdownTable.lines(report).forEach(out::println);
    } else {
      out.println();
      new TextTable(ansi).lines(report).forEach(out::println);
      out.println();
      explanation(report).forEach(out::println);
    }
    out.flush();
  }

  private static void tell(PrintWriter chat, int number, Task task, Duration took) {
    chat.printf(
        Locale.ROOT,
        " %2d/%d  %-30s  %4.1f s%n",
        number,
        Task.ALL.size(),
        task.name(),
        took.toMillis() / 1000.0);
    chat.flush();
  }

  private static List<String> explanation(Report report) {
    String journal = "--journal " + report.journal();
    return List.of(
        "ok: done. stopped: not done, or the tool said itself that it failed. unknown: it may have"
            + " been",
        "done, so it is not sent again, and listed until settled. really, sent: counted by the"
            + " servers.",
        "The record of what went through Callbound, to be looked at with",
        "  ./callbound unknown " + journal,
        // The beginning of an id is enough, and fits.
        "  ./callbound show %s %s".formatted(report.run().substring(0, 12), journal));
  }
}
