package dev.arenakit.tool;

import dev.arenakit.layout.CHeader;
import dev.arenakit.layout.LayoutText;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.ValueType;
import dev.arenakit.mapped.Allocation;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A header of C: the types of allocations, and a comment for each of them that says where it is.
final class CHeaderExport implements ExportForm {
    @Override
    public boolean write(Export export) throws IOException {
        ExportedTypes types = new ExportedTypes(export);
        List<StructType> structs = types.structs().stream().filter(struct -> Values.of(struct).isEmpty()).toList();
        CHeader header = LayoutText.toCHeader(structs);
        Map<StructType, String> names = new HashMap<>();
        for (int i = 0; i < structs.size(); i++) {
            names.put(structs.get(i), header.names().get(i));
        }
        export.print("/* What stands in the image " + Comments.text(export.imageName()) + ". */\n\n");
        if (!structs.isEmpty()) {
            export.print(header.text() + "\n");
        }
        export.allocations().forEachLive(allocation -> {
            Optional<StructType> type = types.of(allocation);
            String what = type.map(struct -> what(struct, allocation, names)).orElse("bytes");
            export.print("/* " + Comments.text(allocation.label() + ": " + what + Comments.place(export, allocation))
                    + " */\n");
        });
        return !types.hasFailed();
    }

    private static String what(StructType struct, Allocation allocation, Map<StructType, String> names) {
        String name = Values.of(struct).map(CHeaderExport::word).orElseGet(() -> names.getOrDefault(struct, ""));
        return TypeNames.counted(name, TypeNames.count(struct, allocation));
    }

    private static String word(ValueType value) {
        String word = switch (value.carrier().getName()) {
            case "boolean" -> "bool";
            case "byte" -> "int8_t";
            case "short" -> "int16_t";
            case "char" -> "uint16_t";
            case "int" -> "int32_t";
            case "long" -> "int64_t";
            default -> value.carrier().getName();
        };
        return TypeParts.isBig(value.order(), value.byteSize()) ? "big-endian " + word : word;
    }
}
