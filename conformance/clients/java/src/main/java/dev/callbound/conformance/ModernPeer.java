package dev.callbound.conformance;

import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.client.McpClient;
import io.modelcontextprotocol.modern.client.McpSyncClient;
import io.modelcontextprotocol.modern.client.transport.HttpClientMcpTransport;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The SDK's client for 2026-07-28. */
final class ModernPeer implements Peer {

  private final McpSyncClient client;

  ModernPeer(String url) {
    client = McpClient.sync(HttpClientMcpTransport.builder(url).build()).build();
    client.discover();
  }

  @Override
  public List<String> tools() {
    return client.tools().list().tools().stream().map(McpSchema.Tool::name).toList();
  }

  @Override
  public String call(String tool, Map<String, Object> arguments) {
    return text(tool, client.tool(tool).arguments(arguments).call());
  }

  @Override
  public void callWithProgress(
      String tool, Map<String, Object> arguments, Consumer<Double> progress) {
    var spec = client.tool(tool).arguments(arguments);
    text(tool, spec.progress(report -> progress.accept(report.progress())).call());
  }

  private static String text(String tool, McpSchema.CallToolResult result) {
    if (Boolean.TRUE.equals(result.isError())) {
      throw new IllegalStateException(tool + ": " + result.content());
    }
    return ((McpSchema.TextContent) result.content().get(0)).text();
  }

  @Override
  public List<String> prompts() {
    return client.prompts().list().prompts().stream().map(McpSchema.Prompt::name).toList();
  }

  @Override
  public String prompt(String name, Map<String, String> arguments) {
    var content = client.prompt(name).arguments(arguments).get().messages().get(0).content();
    return ((McpSchema.TextContent) content).text();
  }

  @Override
  public List<String> complete(String prompt, String argument, String typed) {
    var reference = new McpSchema.PromptReference(prompt);
    return client.completion(reference, argument, typed).complete().completion().values();
  }

  @Override
  public List<String> resources() {
    return client.resources().list().resources().stream().map(McpSchema.Resource::uri).toList();
  }

  @Override
  public String read(String uri) {
    var contents = client.resource(uri).read().contents().get(0);
    return ((McpSchema.TextResourceContents) contents).text();
  }

  @Override
  public void close() {
    // A client of this generation holds no session.
  }
}
