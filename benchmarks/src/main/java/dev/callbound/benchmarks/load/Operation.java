package dev.callbound.benchmarks.load;

/** What a call does: the two tools of {@link LoadServer}. */
enum Operation {
  READ("read_item", "read"),
  WRITE("write_item", "wrote");

  private final String tool;
  private final String past;

  Operation(String tool, String past) {
    this.tool = tool;
    this.past = past;
  }

  String tool() {
    return tool;
  }

  /** The word that the tool's answer begins with, before the number of the call. */
  String past() {
    return past;
  }
}
