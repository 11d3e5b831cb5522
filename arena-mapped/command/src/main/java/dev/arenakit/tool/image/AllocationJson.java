package dev.arenakit.tool.image;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.JsonLines;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/// An allocation as a line of JSON. All commands that list allocations print the same line.
public final class AllocationJson {
    private AllocationJson() {}

    public static void write(JsonLines lines, ArenaImage image, Allocation allocation, AllocationUsage usage)
            throws IOException {
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
            writeType(json, image, allocation);
            JsonLines.number(json, "elementCount", allocation.elementCount());
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

    private static void writeType(JsonGenerator json, ArenaImage image, Allocation allocation) {
        Optional<StructType> type = TypeNames.readable(image, allocation);
        JsonLines.text(json, "typeName", type.map(TypeNames::of));
        if (type.isPresent()) {
            json.writeNumberProperty("count", TypeNames.count(type.get(), allocation));
        } else {
            json.writeNullProperty("count");
        }
    }
}
