package dev.arenakit.tool.export;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The export of a Kaitai Struct specification of a data file, with an instance for each allocation in it.
final class KsyExport implements ExportForm {
    /// The first version that ends UTF-16 strings at a NUL of two bytes.
    private static final String VERSION = "0.11";
    /// Characters that, like letters and digits, cannot end a comment or a string in any language.
    private static final String HARMLESS = " .,:;-_+=#@()[]";

    @Override
    public boolean write(ExportRequest export) throws IOException {
        ExportRequest inFile = export.inOneDataFile("--ksy");
        ExportTypes exported = new ExportTypes(inFile);
        String id = KsyIdentifiers.like(inFile.imageName());
        KsyTypes types = new KsyTypes(id);
        Map<StructType, List<String>> attributes = new HashMap<>();
        exported.structs().stream().filter(struct -> struct.wrappedValue().isEmpty()).forEach(types::reserve);
        exported.structs().forEach(struct -> attributes.put(struct, types.attributes(ExportTypes.element(struct))));
        inFile.print("meta:\n  id: " + id + "\n  title: " + harmless(inFile.fileName(inFile.dataFile())
                + ", of the image " + inFile.imageName()) + "\n  ks-version: \"" + VERSION + "\"\n  endian: le\n");
        inFile.print(types.text());
        inFile.print("instances:\n");
        ExportRequest.ElementCounts counts = new ExportRequest.ElementCounts(inFile);
        UniqueNames names = KsyIdentifiers.scope();
        inFile.allocations().forEachLive(allocation -> {
            Optional<StructType> type = exported.of(allocation);
            long count = counts.count(allocation, type);
            StringBuilder text = new StringBuilder();
            text.append("  ").append(names.take(name(allocation))).append(":\n");
            text.append("    doc: ").append(harmless(describe(allocation, type))).append('\n');
            text.append("    pos: ").append(allocation.byteOffset()).append('\n');
            if (type.isPresent()) {
                attributes.getOrDefault(type.get(), List.of())
                        .forEach(line -> text.append("    ").append(line).append('\n'));
                text.append(count == 1 ? "" : "    repeat: expr\n    repeat-expr: " + count + "\n");
            } else {
                text.append("    size: ").append(count).append('\n');
            }
            inFile.print(text.toString());
        });
        return !exported.hasFailed() && !counts.hasFailed();
    }

    private static String name(Allocation allocation) {
        return allocation.name().map(KsyIdentifiers::like).orElse("allocation_" + allocation.number());
    }

    private static String describe(Allocation allocation, Optional<StructType> type) {
        return allocation.label() + type.map(struct -> ": " + TypeNames.of(struct, allocation)).orElse("")
                + (allocation.isLive() ? "" : ", freed");
    }

    /// Returns text in quotes, without characters that could end a comment or a string in any language: Kaitai Struct
    /// copies the text into comments of generated programs.
    private static String harmless(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> quoted.append(
                        (c <= '~' && Character.isLetterOrDigit(c)) || HARMLESS.indexOf(c) >= 0
                                ? Character.toString(c)
                                : "?"));
        return quoted.append('"').toString();
    }
}
