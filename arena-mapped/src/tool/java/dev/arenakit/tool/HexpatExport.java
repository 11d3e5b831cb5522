package dev.arenakit.tool;

import dev.arenakit.layout.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.HexpatTypes.Declarator;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A pattern of ImHex for a data file, which places each allocation in it.
final class HexpatExport implements ExportForm {
    /// Each makes objects in ImHex where its fields depend on its bytes.
    private static final long MOST_TOLD = 1_000;
    private static final String HEAD = """
            #pragma endian little
            #pragma array_limit 1048576
            #pragma pattern_limit 1048576

            """;

    @Override
    public boolean write(Export export) throws IOException {
        Export inFile = export.inOneDataFile("--hexpat");
        ExportedTypes exported = new ExportedTypes(inFile);
        UniqueNames names = new UniqueNames();
        HexpatTypes types = new HexpatTypes(names);
        Map<StructType, Declarator> declarators = new HashMap<>();
        exported.structs().stream().filter(struct -> Values.of(struct).isEmpty()).forEach(types::reserve);
        exported.structs().forEach(struct -> declarators.put(struct, types.declarator(ExportedTypes.element(struct))));
        inFile.print("/* What stands in " + Comments.text(inFile.fileName(inFile.dataFile())) + ", of the image "
                + Comments.text(inFile.imageName()) + ". */\n" + HEAD + types.text());
        DataFileEnd end = new DataFileEnd(inFile);
        inFile.allocations().forEachLive(allocation -> {
            Optional<StructType> type = exported.of(allocation);
            long count = end.count(allocation, type);
            long shown = type.filter(HexpatTypes::isTold).isPresent() ? Math.min(count, MOST_TOLD) : count;
            Declarator declarator = type.flatMap(struct -> Optional.ofNullable(declarators.get(struct)))
                    .orElse(new Declarator("u8", ""));
            String name = names.take(HexpatNames.like(allocation.name().orElse("allocation_" + allocation.index())));
            String what = type.map(struct -> TypeNames.of(struct, allocation)).orElse("bytes");
            inFile.print("/* " + Comments.text(allocation.label() + ": " + what + Comments.place(inFile, allocation))
                    + (shown < count ? "; the first " + shown + " are shown" : "") + " */\n"
                    + declarator.type() + " " + name
                    + (shown == 1 && type.isPresent() ? "" : "[" + shown + "]") + " @ "
                    + HexpatNames.hex(allocation.byteOffset())
                    + (name.equals(allocation.label())
                            ? ""
                            : " [[name(" + HexpatNames.quote(allocation.label()) + ")]]")
                    + ";\n");
        });
        return !exported.hasFailed() && !end.hasFailed();
    }
}
