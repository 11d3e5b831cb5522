package dev.arenakit.tool.export;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.export.HexpatTypes.Declarator;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The export of an ImHex pattern for a data file. The pattern places each allocation in the file.
final class HexpatExport implements ExportForm {
    /// The largest number of structs whose fields depend on their bytes. ImHex makes objects for each such struct.
    private static final long MAX_DEPENDENT = 1_000;
    private static final String HEAD = """
            #pragma endian little
            #pragma array_limit 1048576
            #pragma pattern_limit 1048576

            """;

    @Override
    public boolean write(ExportRequest export) throws IOException {
        ExportRequest inFile = export.inOneDataFile("--hexpat");
        ExportTypes exported = new ExportTypes(inFile);
        UniqueNames names = new UniqueNames();
        HexpatTypes types = new HexpatTypes(names);
        Map<StructType, Declarator> declarators = new HashMap<>();
        exported.structs().stream().filter(struct -> struct.wrappedValue().isEmpty()).forEach(types::reserve);
        exported.structs()
                .forEach(struct -> declarators.put(struct, types.declarator(
                        struct.wrappedValue().<MemoryType>map(value -> value).orElse(struct))));
        inFile.print(
                "/* The allocations in " + ExportRequest.comment(inFile.fileName(inFile.dataFile())) + ", of the image "
                        + ExportRequest.comment(inFile.imageName()) + ". */\n" + HEAD + types.text());
        Path file = inFile.image().file(inFile.dataFile());
        long fileByteSize = Files.size(file);
        boolean[] isTruncated = {false};
        inFile.allocations().forEachLive(allocation -> {
            Optional<StructType> type = exported.of(allocation);
            long byteSize = allocation.partByteSize() == 0 ? allocation.byteSize() : allocation.partByteSize();
            if (byteSize < allocation.byteSize()) {
                inFile.report(allocation, "its first " + byteSize + " bytes are exported, which are in data file "
                        + allocation.file());
            }
            FileTruncation.message(file, allocation.byteOffset(), byteSize, fileByteSize).ifPresent(message -> {
                isTruncated[0] = true;
                inFile.report(allocation, message);
            });
            // The pattern must not refer to bytes beyond the end of the file.
            long remaining = FileTruncation.remaining(allocation.byteOffset(), byteSize, fileByteSize);
            long each = type.map(StructType::byteSize).orElse(1L);
            long count = each == 0 ? 1 : remaining / each;
            long shown = type.filter(HexpatTypes::dependsOnBytes).isPresent() ? Math.min(count, MAX_DEPENDENT) : count;
            Declarator declarator = type.flatMap(struct -> Optional.ofNullable(declarators.get(struct)))
                    .orElse(new Declarator("u8", ""));
            String name = names
                    .take(HexpatText.identifier(allocation.name().orElse("allocation_" + allocation.number())));
            String what = type.map(struct -> TypeNames.of(struct, allocation)).orElse("bytes");
            inFile.print("/* "
                    + ExportRequest.comment(allocation.label() + ": " + what + inFile.place(allocation))
                    + (shown < count ? "; the first " + shown + " are shown" : "") + " */\n"
                    + declarator.type() + " " + name
                    + (shown == 1 && type.isPresent() ? "" : "[" + shown + "]") + " @ "
                    + HexpatText.hex(allocation.byteOffset())
                    + (name.equals(allocation.label())
                            ? ""
                            : " [[name(" + HexpatText.text(allocation.label()) + ")]]")
                    + ";\n");
        });
        return !exported.hasFailed() && !isTruncated[0];
    }
}
