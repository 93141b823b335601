package dev.callbound.gateway.config;

/**
 * One thing that is wrong with the config.
 *
 * @param file the file; empty if no file is to blame
 * @param line the line in it, from 1; 0 if no line is to blame
 * @param path the key's path, as in {@code servers.github.deadline}; empty for the whole file
 * @param wrong what is wrong, with the value
 * @param right what would be right
 */
public record ConfigProblem(String file, int line, String path, String wrong, String right) {
  /** {@code file:line: path: what is wrong; what would be right}. */
  @Override
  public String toString() {
    return (file.isEmpty() ? "" : file + (line > 0 ? ":" + line : "") + ": ")
        + (path.isEmpty() ? "" : path + ": ")
        + wrong
        + "; "
        + right;
  }
}
