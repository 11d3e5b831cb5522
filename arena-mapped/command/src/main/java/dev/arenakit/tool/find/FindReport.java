package dev.arenakit.tool.find;

import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.JsonLines;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// Prints or counts what was found: `trades[7072]`, or `trades+0x37408  trades[7072].quantity`.
final class FindReport {
    private final Streams streams;
    private final boolean isCount;
    private final Optional<JsonLines> json;
    private final long limit;
    private long found;

    /// @param isCount whether only the number of results is printed
    /// @param limit   the largest number of results
    FindReport(Streams streams, boolean isCount, boolean isJson, long limit) {
        this.streams = streams;
        this.isCount = isCount;
        this.limit = limit;
        json = isJson ? Optional.of(new JsonLines(streams, "find")) : Optional.empty();
    }

    /// Reports a struct.
    ///
    /// @return whether to go on
    boolean struct(Allocation allocation, long index) throws IOException {
        found++;
        if (!isCount) {
            if (json.isPresent()) {
                json.get().write("struct", writer -> {
                    writer.writeStringProperty("allocation", allocation.label());
                    writer.writeNumberProperty("index", index);
                });
            } else {
                streams.print(PrintableText.of(allocation.label()) + "[" + index + "]\n");
            }
        }
        return isWanted();
    }

    /// Reports bytes.
    ///
    /// @param type the type of the structs in the allocation, or empty if it is unknown
    /// @return whether to go on
    boolean bytes(Allocation allocation, Optional<StructType> type, long byteOffset) throws IOException {
        found++;
        if (!isCount) {
            Optional<String> path = type.filter(struct -> struct.byteSize() > 0)
                    .map(struct -> FieldLocation.of(struct, byteOffset).path());
            if (json.isPresent()) {
                json.get().write("bytes", writer -> {
                    writer.writeStringProperty("allocation", allocation.label());
                    writer.writeNumberProperty("byteOffset", byteOffset);
                    writePath(writer, path);
                });
            } else {
                String label = PrintableText.of(allocation.label());
                streams.print(label + "+0x" + Long.toHexString(byteOffset)
                        + path.map(field -> "  " + label + field).orElse("") + "\n");
            }
        }
        return isWanted();
    }

    /// Whether the limit has not been reached.
    boolean isWanted() {
        return found < limit;
    }

    /// Whether the number of results has reached the limit. A limit of 0 is never reached.
    boolean isFull() {
        return found > 0 && !isWanted();
    }

    /// Ends the results.
    ///
    /// @return whether there were any
    boolean finish() throws IOException {
        if (isCount && json.isPresent()) {
            json.get().write("count", writer -> writer.writeNumberProperty("count", found));
        } else if (isCount) {
            streams.print(found + "\n");
        }
        return found > 0;
    }

    /// Writes `[7].levels[2].price` as an index and a field. Both are null if the type is unknown.
    private static void writePath(JsonGenerator writer, Optional<String> path) {
        if (path.isEmpty()) {
            writer.writeNullProperty("index");
            writer.writeNullProperty("field");
            return;
        }
        String text = path.get();
        int end = text.indexOf(']');
        writer.writeNumberProperty("index", Long.parseLong(text.substring(1, end)));
        writer.writeStringProperty("field", text.substring(Math.min(end + 2, text.length())));
    }
}
