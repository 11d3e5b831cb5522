package dev.arenakit.tool.export;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.export.HexpatTypes.Declarator;
import dev.arenakit.tool.image.FileTruncation;
import dev.arenakit.tool.image.TypeNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The export of an ImHex pattern for a data file. The pattern places each allocation in the file.
final class HexpatExport implements ExportForm {
    /// No user or program can use more allocations. Their names are kept in memory, to make them unique.
    private static final int MAX_ALLOCATIONS = 1 << 17;
    private static final String HEAD = """
            #pragma endian little
            #pragma array_limit 1048576
            #pragma pattern_limit 1048576

            """;

    @Override
    public boolean write(ExportRequest export) throws IOException {
        List<Allocation> allocations = inOneFile(export);
        int number = allocations.getFirst().file();
        ExportTypes exported = new ExportTypes(export);
        UniqueNames names = new UniqueNames();
        HexpatTypes types = new HexpatTypes(names);
        Map<StructType, Declarator> declarators = new HashMap<>();
        exported.structs().stream().filter(struct -> struct.wrappedValue().isEmpty()).forEach(types::reserve);
        exported.structs()
                .forEach(struct -> declarators.put(struct, types.declarator(
                        struct.wrappedValue().<MemoryType>map(value -> value).orElse(struct))));
        export.print(
                "/* The allocations in " + ExportRequest.comment(export.fileName(number)) + ", of the image "
                        + ExportRequest.comment(export.imageName()) + ". */\n" + HEAD + types.text());
        Path file = export.image().file(number);
        long fileByteSize = Files.size(file);
        boolean isTruncated = false;
        for (Allocation allocation : allocations) {
            Optional<StructType> type = exported.of(allocation);
            long byteSize = allocation.partByteSize() == 0 ? allocation.byteSize() : allocation.partByteSize();
            if (byteSize < allocation.byteSize()) {
                export.report(allocation, "its first " + byteSize + " bytes are exported, which are in data file "
                        + allocation.file());
            }
            Optional<String> truncation = FileTruncation.message(file, allocation.byteOffset(), byteSize, fileByteSize);
            truncation.ifPresent(message -> export.report(allocation, message));
            isTruncated |= truncation.isPresent();
            // The pattern must not refer to bytes beyond the end of the file.
            long remaining = FileTruncation.remaining(allocation.byteOffset(), byteSize, fileByteSize);
            long each = type.map(StructType::byteSize).orElse(1L);
            long count = each == 0 ? 1 : remaining / each;
            Declarator declarator = type.flatMap(struct -> Optional.ofNullable(declarators.get(struct)))
                    .orElse(new Declarator("u8", ""));
            String name = names
                    .take(HexpatText.identifier(allocation.name().orElse("allocation_" + allocation.number())));
            String what = type.map(struct -> TypeNames.of(struct, allocation)).orElse("bytes");
            export.print("/* "
                    + ExportRequest.comment(allocation.label() + ": " + what + export.place(allocation)) + " */\n"
                    + declarator.type() + " " + name
                    + (count == 1 && type.isPresent() ? "" : "[" + count + "]") + " @ "
                    + HexpatText.hex(allocation.byteOffset())
                    + (name.equals(allocation.label())
                            ? ""
                            : " [[name(" + HexpatText.text(allocation.label()) + ")]]")
                    + ";\n");
        }
        return !exported.hasFailed() && !isTruncated;
    }

    /// Returns the allocations that have bytes, which must be in one data file.
    private static List<Allocation> inOneFile(ExportRequest export) throws IOException {
        List<Allocation> found = new ArrayList<>();
        export.forEachLive(allocation -> {
            if (allocation.file() >= 0) {
                found.add(allocation);
                if (allocation.file() != found.getFirst().file()) {
                    throw export.frame()
                            .usageError("Option '--hexpat' is about one data file, and there are"
                                    + " allocations in " + found.getFirst().file() + " and " + allocation.file()
                                    + ": name allocations of one file");
                }
                if (found.size() > MAX_ALLOCATIONS) {
                    throw new IOException("more than " + Counts.grouped(MAX_ALLOCATIONS) + " allocations in data file "
                            + allocation.file() + ": name those to export");
                }
            }
        });
        if (found.isEmpty()) {
            throw new IOException("no allocation with bytes to export");
        }
        return found;
    }
}
