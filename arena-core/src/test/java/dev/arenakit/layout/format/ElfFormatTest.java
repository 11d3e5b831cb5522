package dev.arenakit.layout.format;

import dev.arenakit.layout.EnumField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Reads the JDK's own library `libjvm.so` in the Executable and Linkable Format.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class ElfFormatTest {
    enum FileType {
        NONE, RELOCATABLE, EXECUTABLE, SHARED, CORE, @Otherwise
        OTHER
    }

    enum SectionType {
        NULL, PROGBITS, SYMTAB, STRTAB, RELA, HASH, DYNAMIC, NOTE, NOBITS, @Value(11)
        DYNSYM, @Value(14)
        INIT_ARRAY, @Value(0x6ffffff6)
        GNU_HASH, @Otherwise
        OTHER
    }

    enum SymbolType {
        NONE, OBJECT, FUNCTION, SECTION, FILE, COMMON, TLS, @Otherwise
        OTHER
    }

    enum Binding {
        LOCAL, GLOBAL, WEAK, @Otherwise
        OTHER
    }

    @Name("Elf64_Ehdr")
    @Order(LITTLE_ENDIAN)
    record Header(@Name("e_ident") @Unsigned(1) @Length(16) short[] ident, @Name("e_type") @ByteSize(2) FileType type,
            @Name("e_machine") @Unsigned(2) int machine, @Name("e_version") @Unsigned(4) long version,
            @Name("e_entry") @Unsigned(8) long entry, @Name("e_phoff") @Unsigned(8) long programOffset,
            @Name("e_shoff") @Unsigned(8) long sectionOffset, @Name("e_flags") @Unsigned(4) long flags,
            @Name("e_ehsize") @Unsigned(2) int headerSize, @Name("e_phentsize") @Unsigned(2) int programSize,
            @Name("e_phnum") @Unsigned(2) int programCount, @Name("e_shentsize") @Unsigned(2) int sectionSize,
            @Name("e_shnum") @Unsigned(2) int sectionCount, @Name("e_shstrndx") @Unsigned(2) int namesIndex) {}

    @Name("Elf64_Shdr")
    @Order(LITTLE_ENDIAN)
    record Section(@Name("sh_name") @Unsigned(4) long name, @Name("sh_type") SectionType type,
            @Name("sh_flags") @Unsigned(8) long flags, @Name("sh_addr") @Unsigned(8) long address,
            @Name("sh_offset") @Unsigned(8) long offset, @Name("sh_size") @Unsigned(8) long size,
            @Name("sh_link") @Unsigned(4) long link, @Name("sh_info") @Unsigned(4) long info,
            @Name("sh_addralign") @Unsigned(8) long alignment, @Name("sh_entsize") @Unsigned(8) long entrySize) {}

    /// In C, type and binding are the two halves of one byte.
    @Name("Elf64_Sym")
    @Order(LITTLE_ENDIAN)
    record Symbol(@Name("st_name") @Unsigned(4) long name, @Bits(4) @ByteSize(1) SymbolType type,
            @Bits(4) @ByteSize(1) Binding binding, @Bits(2) @Unsigned(1) int visibility,
            @Name("st_shndx") @Unsigned(2) int section, @Name("st_value") @Unsigned(8) long value,
            @Name("st_size") @Unsigned(8) long size) {}

    private static final RecordMapper<Header> HEADER = RecordMapper.of(Header.class);
    private static final RecordMapper<Section> SECTIONS = RecordMapper.of(Section.class);
    private static final RecordMapper<Symbol> SYMBOLS = RecordMapper.of(Symbol.class);

    @AutoClose
    private final Arena arena = Arena.ofConfined();
    private final Path library = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
    private MemorySegment file = MemorySegment.NULL;
    private Header header = new Header(new short[16], FileType.NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private List<Section> sections = List.of();

    @BeforeEach
    void map() throws IOException {
        assumeTrue(Files.exists(library), "there is no " + library);
        try (FileChannel channel = FileChannel.open(library)) {
            file = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        header = HEADER.get(file, 0);
        sections = SECTIONS.list(file.asSlice(header.sectionOffset(), header.sectionCount() * SECTIONS.byteSize()));
    }

    @Test
    void header_ofTheLibrary_describesTheFile() {
        assertThat(header.ident()).startsWith((short) 0x7f, (short) 'E', (short) 'L', (short) 'F', (short) 2,
                (short) 1);
        assertThat(header.type()).isEqualTo(FileType.SHARED);
        assertThat(header.machine()).isEqualTo(System.getProperty("os.arch").equals("aarch64") ? 183 : 62);
        assertThat(HEADER.byteSize()).isEqualTo(header.headerSize()).isEqualTo(64);
        assertThat(SECTIONS.byteSize()).isEqualTo(header.sectionSize()).isEqualTo(64);
        assertThat(header.sectionOffset() + header.sectionCount() * 64L).isLessThanOrEqualTo(file.byteSize());
    }

    @Test
    void sections_ofTheLibrary_haveTheirTypes() {
        assertThat(sections).extracting(Section::type)
                .startsWith(SectionType.NULL)
                .contains(SectionType.DYNSYM, SectionType.STRTAB, SectionType.DYNAMIC, SectionType.PROGBITS);
        Section text = sections.stream().filter(section -> name(section).equals(".text")).findFirst().orElseThrow();
        assertThat(text.type()).isEqualTo(SectionType.PROGBITS);
        assertThat(text.flags()).isEqualTo(6); // SHF_ALLOC and SHF_EXECINSTR.
    }

    @Test
    void sectionTypes_byField_areThoseOfTheRecords() {
        EnumField<SectionType> type = SECTIONS.enumField("sh_type", SectionType.class);
        MemorySegment table = file.asSlice(header.sectionOffset());
        for (int i = 0; i < sections.size(); i++) {
            assertThat(type.getAtIndex(table, i)).isEqualTo(sections.get(i).type());
        }
    }

    @Test
    @SuppressWarnings("restricted") // The library is loaded already.
    void symbols_ofTheLibrary_areWhereTheLinkerFindsThem() {
        SymbolLookup linker = SymbolLookup.libraryLookup(library, arena);
        Symbol create = symbol("JNI_CreateJavaVM");
        Symbol created = symbol("JNI_GetCreatedJavaVMs");
        assertThat(create.type()).isEqualTo(SymbolType.FUNCTION);
        assertThat(create.binding()).isEqualTo(Binding.GLOBAL);
        assertThat(create.size()).isPositive();
        assertThat(create.value() - created.value()).isEqualTo(linker.findOrThrow("JNI_CreateJavaVM").address()
                - linker.findOrThrow("JNI_GetCreatedJavaVMs").address());
    }

    private Symbol symbol(String name) {
        Section table = sections.stream()
                .filter(section -> section.type() == SectionType.DYNSYM)
                .findFirst()
                .orElseThrow();
        assertThat(table.entrySize()).isEqualTo(SYMBOLS.byteSize());
        MemorySegment symbols = file.asSlice(table.offset(), table.size());
        LongField names = SYMBOLS.longField("st_name");
        for (long i = 0; i < table.size() / table.entrySize(); i++) {
            if (string(sections.get((int) table.link()), names.getAtIndex(symbols, i)).equals(name)) {
                return SYMBOLS.getAtIndex(symbols, i);
            }
        }
        throw new AssertionError("no symbol " + name);
    }

    private String name(Section section) {
        return string(sections.get(header.namesIndex()), section.name());
    }

    private String string(Section table, long offset) {
        return file.asSlice(table.offset(), table.size()).getString(offset);
    }
}
