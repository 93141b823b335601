package dev.callbound.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** A fault server over HTTP in a process of its own, which a step can really crash. */
public final class FaultServerProcess implements AutoCloseable {
  private static final String PREFIX = "faultserver: ";

  private final Process process;
  private final URI url;
  private final FaultAdmin admin;

  private FaultServerProcess(Process process, URI url) {
    this.process = process;
    this.url = url;
    this.admin = FaultAdmin.at(url);
  }

  static FaultServerProcess start(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // Left open: nothing but this line is ever written to it.
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || !line.startsWith(PREFIX)) {
      process.destroyForcibly();
      throw new IOException("the fault server did not say where it listens, but: " + line);
    }
    return new FaultServerProcess(process, URI.create(line.substring(PREFIX.length())));
  }

  /** The MCP endpoint. */
  public URI url() {
    return url;
  }

  /** A way to look into it and to change its ways. */
  public FaultAdmin admin() {
    return admin;
  }

  public Process process() {
    return process;
  }

  /** Kills the process, as every test must that lets it live. */
  @Override
  public void close() {
    process.destroyForcibly();
    admin.close();
  }
}
