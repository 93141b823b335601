package dev.callbound.benchmarks.load;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.net.URI;

/** How many calls of each kind were carried out, or counted as such. */
record Ledger(long reads, long writes) {

  /** Asks the server itself. */
  static Ledger read(URI ledger) throws IOException {
    var reads = 0L;
    var writes = 0L;
    try (var in = ledger.toURL().openStream();
        var parser = new JsonFactory().createParser(in)) {
      parser.nextToken();
      for (var field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
        var count = parser.nextLongValue(0);
        if (field.equals("reads")) {
          reads = count;
        } else {
          writes = count;
        }
      }
    }
    return new Ledger(reads, writes);
  }
}
