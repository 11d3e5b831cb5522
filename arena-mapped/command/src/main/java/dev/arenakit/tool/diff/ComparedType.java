package dev.arenakit.tool.diff;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.image.TypeNames;
import java.util.HashMap;
import java.util.Map;

/// The type of allocations. Its text is not kept, since it may have any length.
///
/// @param digest   the digest of the text, as the latest version of the grammar prints it
/// @param name     the name of the struct
/// @param byteSize the size of the struct, 0 if there is no type
record ComparedType(TextDigest digest, String name, long byteSize) {
    private static final int MAX_NAME_LENGTH = 60;
    /// The number of cached types. Only a program that wants to fill the reader's memory has more types.
    private static final int CAPACITY = 256;

    /// The name and the number of structs in an allocation of a given size: `Trade[1000]`.
    String describe(long allocated) {
        return byteSize == 0 ? name : TypeNames.of(name, byteSize, allocated);
    }

    /// Reads the types of an image.
    static final class Reader {
        private static final ComparedType NONE = new ComparedType(TextDigest.of(""), "no type", 0);

        private final ArenaImage image;
        private final Map<String, ComparedType> known = new HashMap<>();

        Reader(ArenaImage image) {
            this.image = image;
        }

        ComparedType of(Allocation allocation) {
            String text = allocation.typeText().orElse("");
            if (text.isEmpty()) {
                return NONE;
            }
            if (known.size() == CAPACITY) {
                known.clear();
            }
            return known.computeIfAbsent(text, _ -> read(allocation, text));
        }

        private ComparedType read(Allocation allocation, String text) {
            try {
                StructType struct = image.type(allocation).orElseThrow();
                String name = TypeNames.of(struct);
                // The image may contain the text in an earlier version of the grammar.
                return new ComparedType(TextDigest.of(LayoutText.print(struct)),
                        name.substring(0, Math.min(MAX_NAME_LENGTH, name.length())),
                        struct.byteSize());
            } catch (LayoutParseException e) {
                return new ComparedType(TextDigest.of(text), "unreadable", 0);
            }
        }
    }
}
