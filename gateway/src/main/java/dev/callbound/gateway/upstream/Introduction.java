package dev.callbound.gateway.upstream;

import dev.callbound.gateway.mcp.Json;
import dev.callbound.gateway.mcp.JsonObject;
import dev.callbound.gateway.mcp.Revision;
import org.jspecify.annotations.Nullable;

/**
 * How a server introduced itself.
 *
 * @param serverInfo its own words about itself, as they came
 * @param instructions what it wants models to know; null for nothing
 */
public record Introduction(
    Revision revision, Json serverInfo, JsonObject capabilities, @Nullable String instructions) {}
