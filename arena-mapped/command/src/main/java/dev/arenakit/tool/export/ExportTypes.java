package dev.arenakit.tool.export;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types of the exported allocations, in the order of their first use.
final class ExportTypes {
    /// The largest number of types. Only a program that wants to fill the reader's memory has more types.
    private static final int MAX_TYPES = 1 << 10;
    /// The largest length of the texts of all types.
    private static final int MAX_CHARS = 1 << 20;

    private final ExportRequest export;
    private final Map<String, Optional<StructType>> byText = new LinkedHashMap<>();
    private int chars;
    private boolean failed;

    /// Collects the types of the allocations of an export.
    ExportTypes(ExportRequest export) throws IOException {
        this.export = export;
        export.forEachLive(this::of);
    }

    /// The distinct types. Types that are plain values are wrapped in structs.
    List<StructType> structs() {
        return byText.values().stream().flatMap(Optional::stream).distinct().toList();
    }

    /// The type of the structs in the bytes of an allocation; empty if no type is recorded, if the type cannot be read, or
    /// if the allocation is a structure, whose entries are not one after another.
    Optional<StructType> of(Allocation allocation) throws IOException {
        String text = allocation.typeText().orElse("");
        if (text.isEmpty() || AllocationStructs.hasEntries(export.image(), allocation)) {
            return Optional.empty();
        }
        Optional<StructType> known = byText.get(text);
        if (known != null) {
            return known;
        }
        chars += text.length();
        if (byText.size() == MAX_TYPES || chars > MAX_CHARS) {
            throw new IOException(
                    "more than " + Counts.grouped(MAX_TYPES) + " types, or " + ByteSizes.format(MAX_CHARS)
                            + " of their text; name allocations to export some of them");
        }
        Optional<StructType> type = TypeNames.readable(export.image(), allocation, message -> {
            failed = true;
            export.report(allocation, message);
        });
        byText.put(text, type);
        return type;
    }

    /// Whether a type could not be read.
    boolean hasFailed() {
        return failed;
    }
}
