package dev.arenakit.tool;

import dev.arenakit.layout.LayoutParseException;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types of the allocations that are exported, in the order in which they come first.
final class ExportedTypes {
    /// More than programs have, unless they mean to fill the reader's memory.
    private static final int MOST_TYPES = 1 << 10;
    /// Of the texts of all types.
    private static final int MOST_CHARS = 1 << 20;

    private final Export export;
    private final Map<String, Optional<StructType>> byText = new LinkedHashMap<>();
    private int chars;
    private boolean failed;

    /// The types of all allocations of the export that have not been freed.
    ExportedTypes(Export export) throws IOException {
        this.export = export;
        export.allocations().forEachLive(this::of);
    }

    /// The types, of which no two are equal, but for values that are no structs.
    List<StructType> structs() {
        return byText.values().stream().flatMap(Optional::stream).distinct().toList();
    }

    /// The type of an allocation; empty where none is recorded, or none that can be read.
    Optional<StructType> of(Allocation allocation) throws IOException {
        String text = allocation.typeText().orElse("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Optional<StructType> known = byText.get(text);
        if (known != null) {
            return known;
        }
        chars += text.length();
        if (byText.size() == MOST_TYPES || chars > MOST_CHARS) {
            throw new IOException(
                    "more than " + ByteSizes.grouped(MOST_TYPES) + " types, or " + ByteSizes.format(MOST_CHARS)
                            + " of their text; name allocations to export some of them");
        }
        Optional<StructType> type = read(allocation);
        byText.put(text, type);
        return type;
    }

    /// What the structs of an allocation are to be written as: values stand for themselves.
    static MemoryType element(StructType struct) {
        return Values.of(struct).<MemoryType>map(value -> value).orElse(struct);
    }

    /// Whether a type could not be read.
    boolean hasFailed() {
        return failed;
    }

    private Optional<StructType> read(Allocation allocation) {
        try {
            return export.image().type(allocation);
        } catch (LayoutParseException e) {
            failed = true;
            export.complain(allocation, "its type cannot be read: " + e.getMessage());
            return Optional.empty();
        }
    }
}
