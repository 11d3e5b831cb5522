package dev.arenakit.tool.export;

import dev.arenakit.layout.text.CHeader;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The export of a C header: the types of allocations, and a comment for each allocation with its place.
final class CHeaderExport implements ExportForm {
    @Override
    public boolean write(ExportRequest export) throws IOException {
        ExportTypes types = new ExportTypes(export);
        List<StructType> structs = types.structs().stream().filter(struct -> struct.wrappedValue().isEmpty()).toList();
        CHeader header = LayoutText.toCHeader(structs);
        Map<StructType, String> names = new HashMap<>();
        for (int i = 0; i < structs.size(); i++) {
            names.put(structs.get(i), header.names().get(i));
        }
        export.print("/* The allocations in the image " + ExportRequest.comment(export.imageName()) + ". */\n\n");
        if (!structs.isEmpty()) {
            export.print(header.text() + "\n");
        }
        export.forEachLive(allocation -> {
            Optional<StructType> type = types.of(allocation);
            String what = type.map(struct -> what(struct, allocation, names)).orElse("bytes");
            export.print("/* "
                    + ExportRequest.comment(allocation.label() + ": " + what + export.place(allocation))
                    + " */\n");
        });
        return !types.hasFailed();
    }

    private static String what(StructType struct, Allocation allocation, Map<StructType, String> names) {
        String name = struct.wrappedValue().map(CHeaderExport::word).orElseGet(() -> names.getOrDefault(struct, ""));
        return TypeNames.counted(name, TypeNames.count(struct, allocation));
    }

    private static String word(ValueType value) {
        return value.byteSize() > 1 && value.order() == ByteOrder.BIG_ENDIAN
                ? "big-endian " + value.cName()
                : value.cName();
    }
}
