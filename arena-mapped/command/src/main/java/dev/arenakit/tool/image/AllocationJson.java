package dev.arenakit.tool.image;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageEntries;
import dev.arenakit.tool.console.JsonLines;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/// An allocation as a line of JSON. All commands that list allocations print the same line.
public final class AllocationJson {
    private AllocationJson() {}

    public static void write(JsonLines lines, ArenaImage image, Allocation allocation, AllocationUsage usage)
            throws IOException {
        Optional<StructType> type = TypeNames.readable(image, allocation);
        OptionalLong count = type.isEmpty() ? OptionalLong.empty() : count(image, allocation, type.get());
        lines.write("allocation", json -> {
            json.writeStringProperty("allocation", allocation.label());
            json.writeNumberProperty("number", allocation.number());
            json.writeStringProperty("state", usage.state().toString());
            json.writeNumberProperty("byteSize", allocation.byteSize());
            JsonLines.number(json, "written", usage.disk().storedByteSize());
            JsonLines.number(json, "extents", usage.disk().extents());
            writePlace(json, allocation);
            JsonLines.time(json, "made", allocation.time());
            JsonLines.number(json, "thread", allocation.thread());
            JsonLines.text(json, "typeName", type.map(TypeNames::of));
            JsonLines.number(json, "count", count);
            JsonLines.number(json, "elementCount", allocation.elementCount());
            JsonLines.number(json, "storedCount", allocation.storedCount());
        });
    }

    /// An allocation without bytes has no place.
    private static void writePlace(JsonGenerator json, Allocation allocation) {
        if (allocation.file() >= 0) {
            json.writeNumberProperty("file", allocation.file());
            json.writeNumberProperty("byteOffset", allocation.byteOffset());
        } else {
            json.writeNullProperty("file");
            json.writeNullProperty("byteOffset");
        }
    }

    /// The number of structs, or of the entries of a structure; empty if the structure is damaged.
    private static OptionalLong count(ArenaImage image, Allocation allocation, StructType type) {
        try {
            Optional<ImageEntries> entries = allocation.isLive() ? image.entries(allocation) : Optional.empty();
            return OptionalLong.of(entries.isPresent()
                    ? entries.get().count()
                    : TypeNames.count(type, allocation));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
