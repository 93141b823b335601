package dev.callbound.gateway.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A config of MCP servers, in the format of Claude Code's {@code .mcp.json}, that names one gateway
 * and one run. In a folder of its own and for the owner's eyes only, since it can hold a token;
 * gone when it is closed.
 */
final class McpConfigFile implements AutoCloseable {
  private final Path file;

  private McpConfigFile(Path file) {
    this.file = file;
  }

  static McpConfigFile write(ExecGateway gateway, String run) throws IOException {
    Path folder = Files.createTempDirectory("callbound-");
    McpConfigFile written = new McpConfigFile(folder.resolve("mcp.json"));
    try {
      // The folder is the owner's alone, where the system knows owners.
      Files.createFile(written.file, permissions(folder));
      Files.writeString(
          written.file,
          json(gateway, run).toPrettyString() + "\n",
          StandardOpenOption.TRUNCATE_EXISTING);
      return written;
    } catch (IOException e) {
      written.close();
      throw e;
    }
  }

  private static FileAttribute<?>[] permissions(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static ObjectNode json(ExecGateway gateway, String run) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ObjectNode server = root.putObject("mcpServers").putObject("callbound");
    server.put("type", "http");
    server.put("url", gateway.url().toString());
    ObjectNode headers = server.putObject("headers");
    headers.put("Callbound-Run", run);
    @Nullable String token = gateway.token();
    if (token != null) {
      headers.put("Authorization", "Bearer " + token);
    }
    return root;
  }

  Path path() {
    return file;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    Path folder = file.getParent();
    if (folder != null) {
      Files.deleteIfExists(folder);
    }
  }
}
