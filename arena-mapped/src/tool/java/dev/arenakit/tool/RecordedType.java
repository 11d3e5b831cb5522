package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;

import java.util.HashMap;
import java.util.Map;

/// The type of allocations, without its text: of that there may be any amount.
///
/// @param digest   of the text
/// @param name     of the struct
/// @param byteSize of the struct, 0 where there is none
record RecordedType(Digest digest, String name, long byteSize) {
    private static final int LONGEST_NAME = 60;
    /// How many are kept: more than a program has, unless it means to fill the reader's memory.
    private static final int KNOWN = 256;

    /// What stands in an allocation of some size, in short: `Trade[1000]`.
    String describe(long allocated) {
        return byteSize == 0 ? name : TypeNames.of(name, byteSize, allocated);
    }

    /// The types of an image.
    static final class Reader {
        private static final RecordedType NONE = new RecordedType(Digest.of(""), "no type", 0);

        private final ArenaImage image;
        private final Map<String, RecordedType> known = new HashMap<>();

        Reader(ArenaImage image) {
            this.image = image;
        }

        RecordedType of(Allocation allocation) {
            String text = allocation.typeText().orElse("");
            if (text.isEmpty()) {
                return NONE;
            }
            if (known.size() == KNOWN) {
                known.clear();
            }
            return known.computeIfAbsent(text, _ -> read(allocation, text));
        }

        private RecordedType read(Allocation allocation, String text) {
            try {
                StructType struct = image.type(allocation).orElseThrow();
                String name = TypeNames.of(struct, text);
                return new RecordedType(Digest.of(text), name.substring(0, Math.min(LONGEST_NAME, name.length())),
                        struct.byteSize());
            } catch (LayoutParseException e) {
                return new RecordedType(Digest.of(text), "unreadable", 0);
            }
        }
    }
}
