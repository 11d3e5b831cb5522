package dev.arenakit.examples;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;

import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;

/// A binary in the Executable and Linkable Format. The structs of `elf.h` are records, which are read from the mapped
/// file.
///
/// Only little-endian files of 64 bits are supported.
final class ElfFile {
    static final int DYNAMIC = 6;

    private static final int MAGIC = 0x464c457f; // 0x7f 'E' 'L' 'F', the first byte lowest
    private static final int CLASS_64 = 2;
    private static final int LITTLE = 1;

    private static final RecordMapper<Header> HEADER = RecordMapper.of(Header.class);
    private static final RecordMapper<Section> SECTION = RecordMapper.of(Section.class);
    private static final RecordMapper<Dynamic> DYNAMIC_ENTRY = RecordMapper.of(Dynamic.class);

    /// The first 16 bytes, which define how the other bytes are read.
    @Name("e_ident")
    record Identification(@Order(LITTLE_ENDIAN) int magic, byte wordSize, byte byteOrder, byte version, byte osAbi,
            byte abiVersion, byte unused1, short unused2, int unused3) {}

    /// The header, at the beginning of the file.
    @Name("Elf64_Ehdr")
    @Order(LITTLE_ENDIAN)
    record Header(@Name("e_ident") Identification identification, @Name("e_type") short type,
            @Name("e_machine") short machine, @Name("e_version") int version, @Name("e_entry") long entry,
            @Name("e_phoff") long programHeaderOffset, @Name("e_shoff") long sectionHeaderOffset,
            @Name("e_flags") int flags, @Name("e_ehsize") short headerSize,
            @Name("e_phentsize") short programHeaderSize, @Name("e_phnum") short programHeaderCount,
            @Name("e_shentsize") short sectionHeaderSize, @Name("e_shnum") short sectionHeaderCount,
            @Name("e_shstrndx") short namesIndex) {}

    /// An entry of the section table.
    @Name("Elf64_Shdr")
    @Order(LITTLE_ENDIAN)
    record Section(@Name("sh_name") int nameOffset, @Name("sh_type") int type, @Name("sh_flags") long flags,
            @Name("sh_addr") long address, @Name("sh_offset") long offset, @Name("sh_size") long size,
            @Name("sh_link") int link, @Name("sh_info") int info, @Name("sh_addralign") long alignment,
            @Name("sh_entsize") long entrySize) {}

    /// An entry of the dynamic section.
    @Name("Elf64_Dyn")
    @Order(LITTLE_ENDIAN)
    record Dynamic(@Name("d_tag") long tag, @Name("d_val") long value) {}

    private final MemorySegment bytes;
    private final Header header;
    private final List<Section> sections;

    private ElfFile(Path path, MemorySegment bytes) {
        this.bytes = bytes;
        if (bytes.byteSize() < HEADER.byteSize()) {
            throw new UnreadableException("File is too small for a binary", path, "byteSize=" + bytes.byteSize());
        }
        header = HEADER.getAtIndex(bytes, 0);
        Identification identification = header.identification();
        if (identification.magic() != MAGIC) {
            throw new UnreadableException("File is no ELF binary", path,
                    "magic=0x%08x".formatted(identification.magic()));
        }
        if (identification.wordSize() != CLASS_64 || identification.byteOrder() != LITTLE) {
            throw new UnreadableException("Binary is not 64 bits wide and little-endian", path,
                    "EI_CLASS=" + identification.wordSize() + ", EI_DATA=" + identification.byteOrder());
        }
        long offset = header.sectionHeaderOffset();
        long count = Short.toUnsignedLong(header.sectionHeaderCount());
        long limit = bytes.byteSize() - count * SECTION.byteSize();
        if (count == 0 || header.sectionHeaderSize() != SECTION.byteSize() || offset < 0 || offset > limit) {
            throw new UnreadableException("Binary has no section table of the usual kind", path,
                    "e_shoff=" + offset + ", e_shnum=" + count + ", e_shentsize=" + header.sectionHeaderSize());
        }
        sections = List.copyOf(SECTION.list(bytes.asSlice(offset, count * SECTION.byteSize())));
    }

    /// Maps a file and reads its tables. The mapping lives as long as the arena.
    static ElfFile map(Path path, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return new ElfFile(path, channel.map(MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    Header header() {
        return header;
    }

    List<Section> sections() {
        return sections;
    }

    /// Returns the first 16 bytes of the file.
    MemorySegment identification() {
        return bytes.asSlice(0, 16);
    }

    String name(Section section) {
        Section names = sections.get(Short.toUnsignedInt(header.namesIndex()));
        return content(names).getString(Integer.toUnsignedLong(section.nameOffset()));
    }

    /// Returns the entries of the dynamic section, which the dynamic linker uses.
    List<Dynamic> dynamic() {
        return sections.stream()
                .filter(section -> section.type() == DYNAMIC)
                .flatMap(section -> DYNAMIC_ENTRY.stream(content(section)))
                .toList();
    }

    private MemorySegment content(Section section) {
        return bytes.asSlice(section.offset(), section.size());
    }

    /// Thrown when the format of a file is not supported.
    static final class UnreadableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnreadableException(String what, Path path, String values) {
            super(what + ": path=" + path + ", " + values);
        }
    }
}
