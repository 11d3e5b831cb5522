package dev.arenakit.examples;

import dev.arenakit.examples.ElfFile.Header;
import dev.arenakit.examples.ElfFile.Section;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Prints the header and the section table of a binary. The output equals that of `readelf -h -S` of the GNU binutils.
///
/// Supports binaries of Linux on x86-64 and AArch64.
public final class ReadElf {
    private static final Map<Integer, String> OS_ABIS = Map.of(0, "UNIX - System V", 3, "UNIX - GNU");
    private static final int GNU = 3;
    private static final int X86_64 = 62;
    private static final Map<Integer, String> MACHINES = Map.of(X86_64, "Advanced Micro Devices X86-64", 183,
            "AArch64");
    private static final int SHARED = 3;
    private static final Map<Integer, String> FILE_TYPES = Map.of(0, "NONE (None)", 1, "REL (Relocatable file)", 2,
            "EXEC (Executable file)", SHARED, "DYN (Shared object file)", 4, "CORE (Core file)");
    private static final Map<Integer, String> SECTION_TYPES = Map.ofEntries(Map.entry(0, "NULL"),
            Map.entry(1, "PROGBITS"), Map.entry(2, "SYMTAB"), Map.entry(3, "STRTAB"), Map.entry(4, "RELA"),
            Map.entry(5, "HASH"), Map.entry(6, "DYNAMIC"), Map.entry(7, "NOTE"), Map.entry(8, "NOBITS"),
            Map.entry(9, "REL"), Map.entry(11, "DYNSYM"), Map.entry(14, "INIT_ARRAY"), Map.entry(15, "FINI_ARRAY"),
            Map.entry(16, "PREINIT_ARRAY"), Map.entry(17, "GROUP"), Map.entry(18, "SYMTAB SECTION INDICES"),
            Map.entry(19, "RELR"), Map.entry(0x6ffffff5, "GNU_ATTRIBUTES"), Map.entry(0x6ffffff6, "GNU_HASH"),
            Map.entry(0x6ffffff7, "GNU_LIBLIST"), Map.entry(0x6ffffffd, "VERDEF"), Map.entry(0x6ffffffe, "VERNEED"),
            Map.entry(0x6fffffff, "VERSYM"), Map.entry(0x70000001, "X86_64_UNWIND"));
    /// The letters of the flags of a section, from the lowest bit up.
    private static final String FLAG_LETTERS = "WAX MSILOGTC";

    private static final long DT_FLAGS_1 = 0x6ffffffb;
    private static final long DF_1_PIE = 0x08000000;

    private final ElfFile elf;
    private final PrintStream out;

    private ReadElf(ElfFile elf, PrintStream out) {
        this.elf = elf;
        this.out = out;
    }

    /// Runs the example.
    ///
    /// @param args path of a binary; without arguments, the launcher of this JVM
    /// @throws IOException if the file cannot be read
    public static void main(String[] args) throws IOException {
        Path path = args.length > 0 ? Path.of(args[0]) : Path.of(System.getProperty("java.home"), "bin", "java");
        run(System.out, path);
    }

    static void run(PrintStream out, Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            ReadElf reader = new ReadElf(ElfFile.map(path, arena), out);
            reader.printHeader();
            reader.printSections();
        }
    }

    private void printHeader() {
        Header header = elf.header();
        out.print("ELF Header:\n");
        out.print("  Magic:   "
                + HexFormat.ofDelimiter(" ").formatHex(elf.identification().toArray(JAVA_BYTE)) + " \n");
        line("Class", "ELF64");
        line("Data", "2's complement, little endian");
        int version = header.identification().version();
        line("Version", version + (version == 1 ? " (current)" : ""));
        int osAbi = header.identification().osAbi();
        line("OS/ABI", OS_ABIS.getOrDefault(osAbi, "<unknown: %x>".formatted(osAbi)));
        line("ABI Version", Byte.toUnsignedInt(header.identification().abiVersion()));
        int type = Short.toUnsignedInt(header.type());
        line("Type", type == SHARED && isExecutable()
                ? "DYN (Position-Independent Executable file)"
                : FILE_TYPES.getOrDefault(type, "<unknown>: %x".formatted(type)));
        int machine = Short.toUnsignedInt(header.machine());
        line("Machine", MACHINES.getOrDefault(machine, "<unknown>: 0x%x".formatted(machine)));
        line("Version", "0x%x".formatted(header.version()));
        line("Entry point address", "0x%x".formatted(header.entry()));
        line("Start of program headers", header.programHeaderOffset() + " (bytes into file)");
        line("Start of section headers", header.sectionHeaderOffset() + " (bytes into file)");
        line("Flags", "0x%x".formatted(header.flags()));
        line("Size of this header", header.headerSize() + " (bytes)");
        line("Size of program headers", header.programHeaderSize() + " (bytes)");
        line("Number of program headers", Short.toUnsignedInt(header.programHeaderCount()));
        line("Size of section headers", header.sectionHeaderSize() + " (bytes)");
        line("Number of section headers", Short.toUnsignedInt(header.sectionHeaderCount()));
        line("Section header string table index", Short.toUnsignedInt(header.namesIndex()));
    }

    private void line(String name, Object value) {
        out.print("  %-34s %s\n".formatted(name + ":", value));
    }

    private boolean isExecutable() {
        return elf.dynamic().stream().anyMatch(entry -> entry.tag() == DT_FLAGS_1 && (entry.value() & DF_1_PIE) != 0);
    }

    private void printSections() {
        out.print("""

                Section Headers:
                  [Nr] Name              Type             Address           Offset
                       Size              EntSize          Flags  Link  Info  Align
                """);
        for (int i = 0; i < elf.sections().size(); i++) {
            Section section = elf.sections().get(i);
            out.print(
                    String.format(Locale.ROOT, "  [%2d] %-17s %-15.15s  %016x  %08x\n", i, shortened(elf.name(section)),
                            sectionType(section.type()), section.address(), section.offset()));
            out.print(String.format(Locale.ROOT, "       %016x  %016x %3s      %2s   %3s     %s\n", section.size(),
                    section.entrySize(), letters(section.flags()), Integer.toUnsignedString(section.link()),
                    Integer.toUnsignedString(section.info()), Long.toUnsignedString(section.alignment())));
        }
        out.print("""
                Key to Flags:
                  W (write), A (alloc), X (execute), M (merge), S (strings), I (info),
                  L (link order), O (extra OS processing required), G (group), T (TLS),
                  C (compressed), x (unknown), o (OS specific), E (exclude),
                """);
        out.print("  " + (elf.header().identification().osAbi() == GNU ? "R (retain), " : "") + "D (mbind), "
                + (elf.header().machine() == X86_64 ? "l (large), " : "") + "p (processor specific)\n");
    }

    private static String shortened(String name) {
        return name.length() <= 17 ? name : name.substring(0, 12) + "[...]";
    }

    private static String sectionType(int type) {
        return SECTION_TYPES.getOrDefault(type, "<unknown>: %x".formatted(type));
    }

    private String letters(long flags) {
        StringBuilder letters = new StringBuilder();
        for (long left = flags; left != 0; left &= left - 1) {
            letters.append(letter(Long.numberOfTrailingZeros(left)));
        }
        return letters.toString();
    }

    private char letter(int bit) {
        if (bit < FLAG_LETTERS.length() && FLAG_LETTERS.charAt(bit) != ' ') {
            return FLAG_LETTERS.charAt(bit);
        }
        return switch (bit) {
            case 21 -> elf.header().identification().osAbi() == GNU ? 'R' : 'o';
            case 24 -> 'D';
            case 28 -> elf.header().machine() == X86_64 ? 'l' : 'p';
            case 20, 22, 23, 25, 26, 27 -> 'o';
            case 29, 30 -> 'p';
            case 31 -> 'E';
            default -> 'x';
        };
    }
}
