package dev.callbound.journal.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;

/** Makes the file and its folders, for the owner's eyes only, so that a power cut keeps them. */
final class Place {
  private Place() {}

  /** Creates what is missing; what is there is left as it is. */
  static void make(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || Files.isDirectory(file)) {
      throw new IOException("is a folder, not a file");
    }
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    Deque<Path> missing = new ArrayDeque<>();
    for (Path f = folder; f != null && Files.notExists(f); f = f.getParent()) {
      missing.push(f);
    }
    Files.createDirectories(folder, attributes(posix, "rwx------"));
    try {
      Files.createFile(file, attributes(posix, "rw-------"));
    } catch (FileAlreadyExistsException e) {
      return;
    }
    if (posix) {
      sync(folder);
      for (Path made : missing) {
        Path parent = made.getParent();
        if (parent != null) {
          sync(parent);
        }
      }
    }
  }

  private static FileAttribute<?>[] attributes(boolean posix, String permissions) {
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** A new file is there after a power cut only once the folder that names it has been synced. */
  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
