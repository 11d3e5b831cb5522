package dev.arenakit.tool.find;

import dev.arenakit.dump.FieldLocation;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// Prints or counts what was found: `trades[7072]`, or `trades+0x37408  trades[7072].quantity`.
final class FindReport {
    private final Streams streams;
    private final boolean isCount;
    private final Optional<JsonGenerator> json;
    private final long limit;
    private long found;

    /// @param isCount whether only the number of results is printed
    /// @param limit   the largest number of results
    FindReport(Streams streams, boolean isCount, boolean isJson, long limit) {
        this.streams = streams;
        this.isCount = isCount;
        this.limit = limit;
        json = isJson ? Optional.of(JsonOutput.generator(streams.out())) : Optional.empty();
    }

    /// Reports a struct.
    ///
    /// @return whether to go on
    boolean struct(Allocation allocation, long index) throws IOException {
        found++;
        if (!isCount) {
            if (json.isPresent()) {
                line(json.get(), writer -> {
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
                line(json.get(), writer -> {
                    writer.writeStringProperty("allocation", allocation.label());
                    writer.writeNumberProperty("byteOffset", byteOffset);
                    path.ifPresent(found -> writePath(writer, found));
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

    /// Ends the results.
    ///
    /// @return whether there were any
    boolean finish() throws IOException {
        if (isCount && json.isPresent()) {
            line(json.get(), writer -> writer.writeNumberProperty("count", found));
        } else if (isCount) {
            streams.print(found + "\n");
        }
        if (json.isPresent()) {
            JsonGenerator writer = json.get();
            JsonOutput.write(writer::flush);
        }
        return found > 0;
    }

    /// Writes `[7].levels[2].price` as index and field.
    private static void writePath(JsonGenerator writer, String path) {
        int end = path.indexOf(']');
        writer.writeNumberProperty("index", Long.parseLong(path.substring(1, end)));
        if (end + 2 < path.length()) {
            writer.writeStringProperty("field", path.substring(end + 2));
        }
    }

    private static void line(JsonGenerator json, Properties properties) throws IOException {
        JsonOutput.write(() -> {
            json.writeStartObject();
            properties.write(json);
            json.writeEndObject();
            json.writeRaw('\n');
        });
    }

    /// Writes the properties of an object.
    @FunctionalInterface
    private interface Properties {
        void write(JsonGenerator json);
    }
}
