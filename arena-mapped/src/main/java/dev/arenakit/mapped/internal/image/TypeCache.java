package dev.arenakit.mapped.internal.image;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.util.HashMap;
import java.util.Map;

/// The types of an image that were parsed last, by their texts. Not thread-safe.
public final class TypeCache {
    /// The largest number of cached types. A program has fewer types, unless it intends to fill the memory of a reader.
    private static final int TYPES = 256;

    private final Map<String, StructType> types = new HashMap<>();

    /// The type that a text describes.
    ///
    /// @throws LayoutParseException if the text cannot be parsed
    public StructType get(String text) {
        StructType known = types.get(text);
        if (known == null) {
            if (types.size() == TYPES) {
                types.clear();
            }
            known = LayoutText.parse(text);
            types.put(text, known);
        }
        return known;
    }

    /// Whether a text describes the entries of a structure. An empty text, or one that cannot be parsed, does not.
    public boolean isStructure(String text) {
        try {
            return !text.isEmpty() && StructureKind.isRecordedFor(get(text));
        } catch (LayoutParseException _) {
            return false;
        }
    }
}
