package dev.callbound.conformance;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The SDK's client for the revisions up to 2025-11-25. */
final class LegacyPeer implements Peer {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final McpSyncClient client;
  private volatile Consumer<Double> progress = report -> {};

  LegacyPeer(McpClientTransport transport) {
    client =
        McpClient.sync(transport)
            .requestTimeout(TIMEOUT)
            .clientInfo(McpSchema.Implementation.builder("callbound-java-client", "1.0.0").build())
            .progressConsumer(report -> progress.accept(report.progress()))
            .build();
    client.initialize();
  }

  @Override
  public List<String> tools() {
    return client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
  }

  @Override
  public String call(String tool, Map<String, Object> arguments) {
    return call(McpSchema.CallToolRequest.builder().name(tool).arguments(arguments).build());
  }

  @Override
  public void callWithProgress(
      String tool, Map<String, Object> arguments, Consumer<Double> progress) {
    this.progress = progress;
    call(
        McpSchema.CallToolRequest.builder()
            .name(tool)
            .arguments(arguments)
            .progressToken("progress-of-" + tool)
            .build());
  }

  private String call(McpSchema.CallToolRequest request) {
    var result = client.callTool(request);
    if (Boolean.TRUE.equals(result.isError())) {
      throw new IllegalStateException(request.name() + ": " + result.content());
    }
    return ((McpSchema.TextContent) result.content().get(0)).text();
  }

  @Override
  public List<String> prompts() {
    return client.listPrompts().prompts().stream().map(McpSchema.Prompt::name).toList();
  }

  @Override
  public String prompt(String name, Map<String, String> arguments) {
    var request = new McpSchema.GetPromptRequest(name, Map.copyOf(arguments));
    var content = client.getPrompt(request).messages().get(0).content();
    return ((McpSchema.TextContent) content).text();
  }

  @Override
  public List<String> complete(String prompt, String argument, String typed) {
    var request =
        new McpSchema.CompleteRequest(
            new McpSchema.PromptReference(prompt),
            new McpSchema.CompleteRequest.CompleteArgument(argument, typed));
    return client.completeCompletion(request).completion().values();
  }

  @Override
  public List<String> resources() {
    return client.listResources().resources().stream().map(McpSchema.Resource::uri).toList();
  }

  @Override
  public String read(String uri) {
    var result = client.readResource(new McpSchema.ReadResourceRequest(uri));
    return ((McpSchema.TextResourceContents) result.contents().get(0)).text();
  }

  @Override
  public void close() {
    client.closeGracefully();
  }
}
