package dev.callbound.journal;

/** What has happened to a record by the time that the method which writes it returns. */
public enum Durability {
  /**
   * It is on disk, and so is every record that was handed in before it by the same thread. It is
   * still there after {@code kill -9} and after a power cut.
   */
  ON_DISK,
  /**
   * It is in the queue. It will be written after everything handed in before it and before
   * everything handed in later; a crash before then loses it.
   */
  SOON
}
