package dev.arenakit.tool.export;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.TestImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HexpatExportTest extends InSharedMemory {

    @Test
    void hexpat_ofOneType_isAPlainPattern() {
        TestImage.closed(base);
        assertThat(ExportCommandTest.export(base, "trades", "--hexpat").out()).isEqualTo("""
                /* The allocations in memory-0, of the image memory. */
                #pragma endian little
                #pragma array_limit 1048576
                #pragma pattern_limit 1048576

                enum Side : u8 {
                    BUY = 0,
                    SELL = 1,
                } [[static]];

                struct Trade {
                    s64 id;
                    Side side;
                    padding[7];
                    double price;
                    char symbol[8];
                } [[static]];

                /* trades: Trade[1000] in memory-0 at 0x0, 32000 bytes */
                Trade trades[1000] @ 0x0;
                """);
    }

    @Test
    void hexpat_ofEveryKindOfType_hasItsOffsets() throws IOException {
        ExportImage.write(base);
        String pattern = ExportCommandTest.export(base, "--hexpat").out();
        HexpatLayout layout = new HexpatLayout(pattern);
        assertThat(layout.size("Shape")).isEqualTo(ExportImage.SHAPE.byteSize());
        assertThat(layout.offsets("Shape")).isEqualTo(offsets(ExportImage.SHAPE));
        assertThat(layout.size("Point")).isEqualTo(ExportImage.POINT.byteSize());
        assertThat(layout.offsets("Point").values()).containsExactly(0L, 1L, 9L, 13L);
        assertThat(layout.places()).isEqualTo(Map.of("shapes", "Shape[3] @ 0x0",
                "allocation_" + TestImage.label(base, 1).substring(1), "u8[5000] @ 0x258",
                "grid_points_", "Point[2] @ 0x4258", "prices", "double[100] @ 0x4278"));
        assertThat(pattern).contains("[[name(\"grid */ \\\"points\\\"\")]];", "/* grid * / \"points\": Point[2] ",
                "    be Kind kinds[3];\n", "    BOX = 0xFFFE,\n", "    s8 struct_;\n", "    char16 wide[4];\n",
                "    be double ratio;\n",
                "    Shape_grid_row grid[2];\n", "    Address next;\n", """
                            if (kind == 1)
                                Shape_value_circle value;
                            else if (kind == 0xFFFE)
                                Shape_value_box value;
                            else
                                padding[16];
                        """, "    s32 late_ahead @ addressof(this) + 44 [[hidden]];\n    if (late_ahead == 7)\n");
    }

    @Test
    void hexpat_referencesToBitFieldsOfBothOrders_readThem() {
        ReferencesImage.write(base);
        assertThat(ExportCommandTest.export(base, "--hexpat").out()).contains("""
                bitfield Message_kind_bits {
                    padding : 4;
                    kind : 8;
                    padding : 4;
                };

                bitfield Message_count_bits {
                    padding : 4;
                    count : 8;
                    padding : 4;
                };

                union Message_rows_row<auto count> {
                    s32 items[(count < 0 || count > 3 ? 3 : count)];
                    padding[(3 - (count < 0 || count > 3 ? 3 : count)) * 4];
                    u8 all_bytes[12] [[hidden]];
                };

                union Message_body_shorts<auto count> {
                    s16 shorts[(count < 0 || count > 4 ? 4 : count)];
                    padding[(4 - (count < 0 || count > 4 ? 4 : count)) * 2];
                    u8 all_bytes[8] [[hidden]];
                };
                """, """
                struct Message {
                    Message_kind_bits kind_bits @ addressof(this) + 0;
                    be Message_count_bits count_bits @ addressof(this) + 0;
                    padding[2];
                    padding[2];
                    Message_rows_row<count_bits.count> rows[2];
                    padding[4];
                    if (kind_bits.kind == 1)
                        Message_body_shorts<count_bits.count> body;
                    else if (kind_bits.kind == 2)
                        Message_body_wide body;
                    else
                        padding[8];
                    u8 late_ahead @ addressof(this) + 48 [[hidden]];
                    Message_either<late_ahead> either;
                    u8 late;
                    padding[7];
                };
                """);
    }

    @Test
    void export_countInAUnionThatIsNoInteger_isIgnored() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct T { float f; union { int8_t a[3] @count(f); int8_t b[2] @count(g); } u; };
                """);
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("one", struct, 1));
        assertThat(ExportCommandTest.export(base, "--hexpat").out()).contains("    s8 a[3];\n    s8 b[2];\n");
    }

    @Test
    void hexpat_manyStructsWhoseBytesTell_areCutShort() {
        StructType told = LayoutText.parse("""
                #pragma layout 2
                struct T { int32_t kind; union @switch(kind) { int32_t a @case(1); float b @case(2); } value; };
                """);
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("many", told, 1_000_000));
        assertThat(ExportCommandTest.export(base, "--hexpat").out())
                .contains("; the first 1000 are shown */\nT many[1000] @ 0x0;");
    }

    @Test
    void hexpat_inTheLanguageItself_readsTheFields() throws IOException, InterruptedException {
        InstalledPrograms.assume("plcli", "build it from https://github.com/WerWolv/PatternLanguage");
        ExportImage.write(base);
        Path pattern = directory.resolve("memory.hexpat");
        ExportCommandTest.export(base, "--hexpat", "-o", pattern.toString());
        Path json = directory.resolve("out.json");
        InstalledPrograms.run(directory, "plcli", "format", "-f", "json", "-i", base + "-0", "-p", pattern.toString(),
                "-o",
                json.toString());
        String read = Files.readString(json).replaceAll("\\s", "");
        assertThat(read).contains(
                "\"id\":1001,\"isFilled\":true,\"unit\":\"B\",\"kind\":\"Kind%3A%3ABOX\",\"kinds\":[\"Kind%3A%3ABOX\","
                        + "\"Kind%3A%3ACIRCLE\",\"Kind%3A%3ANONE\"],\"value\":{\"box\":[{\"x\":11,\"y\":21},{\"x\":12,\"y\":22}]},"
                        + "\"early\":[{\"text\":\"abc%00\"}",
                "\"value\":{\"circle\":{\"centre\":{\"x\":10,\"y\":20},\"radius\":2.5}},\"early\":[{\"a\":97},{\"a\":-4}]",
                "\"grid\":[{\"items\":[100,101,102]},{\"items\":[103,104,105]}]",
                "\"ratio\":0.25,\"next\":\"0x7f0000001000\",\"path\":[{\"x\":61,\"y\":50},{\"x\":62,\"y\":52}]",
                "\"struct_\":-1,\"maxX\":2199023255552,\"max_x\":-4");
    }

    private static Map<String, Long> offsets(StructType struct) {
        return struct.members().stream().collect(Collectors.toMap(Member::name, Member::byteOffset));
    }

    /// Reads the sizes and offsets of an ImHex pattern. It understands the part of the language that exports use.
    static final class HexpatLayout {
        private static final Pattern TYPE = Pattern
                .compile("(struct|union|enum) (\\w+)(?: : (\\w+))? \\{\n(.*?)}(?: \\[\\[static]])?;\n", Pattern.DOTALL);
        private static final Pattern ALIAS = Pattern.compile("using (\\w+) = (\\w+) ");
        private static final Pattern VARIABLE = Pattern
                .compile("(?:be )?(\\w+)(?: (\\w+))?(?:\\[(\\d+)])?( @ [^\\[;]+)?(?: \\[\\[[^;]*]])?;");
        private static final Map<String, Long> BUILTIN = Map.ofEntries(Map.entry("bool", 1L), Map.entry("char", 1L),
                Map.entry("char16", 2L), Map.entry("float", 4L), Map.entry("double", 8L), Map.entry("padding", 1L),
                Map.entry("s8", 1L), Map.entry("s16", 2L), Map.entry("s32", 4L), Map.entry("s64", 8L),
                Map.entry("u8", 1L), Map.entry("u16", 2L), Map.entry("u32", 4L), Map.entry("u64", 8L));

        private final Map<String, Long> sizes = new HashMap<>(BUILTIN);
        private final Map<String, Map<String, Long>> offsets = new HashMap<>();
        private final Map<String, String> places = new LinkedHashMap<>();

        /// Reads a pattern, which must be valid.
        HexpatLayout(String pattern) {
            String text = pattern.replaceAll("/\\*.*?\\*/", "");
            assertThat(count(text, '{')).as("braces").isEqualTo(count(text, '}'));
            assertThat(count(text, '(')).as("parentheses").isEqualTo(count(text, ')'));
            Matcher alias = ALIAS.matcher(text);
            while (alias.find()) {
                sizes.put(alias.group(1), size(alias.group(2)));
            }
            Matcher type = TYPE.matcher(text);
            while (type.find()) {
                assertThat(sizes).doesNotContainKey(type.group(2));
                sizes.put(type.group(2), type.group(1).equals("enum")
                        ? size(type.group(3))
                        : fields(type.group(2), type.group(4), type.group(1).equals("union")));
            }
            TYPE.matcher(text).replaceAll("").lines().filter(line -> line.contains(" @ ")).forEach(line -> {
                Matcher variable = VARIABLE.matcher(line);
                assertThat(variable.lookingAt()).as(line).isTrue();
                String length = variable.group(3) == null ? "1" : variable.group(3);
                places.put(String.valueOf(variable.group(2)),
                        variable.group(1) + "[" + length + "]" + variable.group(4));
            });
        }

        /// The size of a type.
        long size(String type) {
            assertThat(sizes).containsKey(type);
            return sizes.getOrDefault(type, 0L);
        }

        /// The offsets of the members of a struct.
        Map<String, Long> offsets(String struct) {
            return offsets.getOrDefault(struct, Map.of());
        }

        /// The variables that the pattern places in the file, as `Trade[10] @ 0x20`.
        Map<String, String> places() {
            return places;
        }

        private long fields(String name, String body, boolean isUnion) {
            Map<String, Long> members = new LinkedHashMap<>();
            offsets.put(name, members);
            long at = 0;
            // The size of the previous branch, since another branch may follow.
            long branch = -1;
            boolean isBranch = false;
            for (String line : body.lines().map(String::strip).toList()) {
                if (line.startsWith("if (") || line.startsWith("else")) {
                    branch = line.startsWith("if (") ? -1 : branch;
                    isBranch = true;
                    continue;
                }
                Matcher variable = VARIABLE.matcher(line);
                assertThat(variable.matches()).as(line).isTrue();
                if (variable.group(4) != null) {
                    continue;
                }
                long size = size(variable.group(1))
                        * (variable.group(3) == null ? 1 : Long.parseLong(variable.group(3)));
                if (isBranch && branch >= 0) {
                    assertThat(size).as("branches of %s", name).isEqualTo(branch);
                    isBranch = false;
                    continue;
                }
                branch = isBranch ? size : -1;
                isBranch = false;
                if (variable.group(2) != null) {
                    members.put(variable.group(2), isUnion ? 0 : at);
                }
                at = isUnion ? Math.max(at, size) : at + size;
            }
            return at;
        }

        private static long count(String text, char c) {
            return text.chars().filter(other -> other == c).count();
        }
    }

    /// An image of structs whose unions and arrays refer to bit fields that share bytes in different byte orders. Some of
    /// these unions and arrays are in arrays and unions.
    static final class ReferencesImage {
        private static final ArrayType SHORTS = ArrayType.of(ValueType.of(short.class), 4).withCount("count");
        private static final ArrayType BYTES = ArrayType.of(ValueType.of(byte.class), 8).withCount("late");
        static final StructType MESSAGE = new StructType("Message", List.of(
                new Member("kind", 0, bits(ByteOrder.LITTLE_ENDIAN)),
                new Member("count", 0, bits(ByteOrder.BIG_ENDIAN)),
                new Member("rows", 4, ArrayType.of(ArrayType.of(ValueType.of(int.class), 3).withCount("count"), 2)),
                new Member("body", 32, new UnionType("", List.of(new Member("shorts", 0, SHORTS),
                        new Member("wide", 0, ValueType.of(long.class))), 8, 8,
                        Optional.of(new Discriminator("kind", List.of(1L, 2L))))),
                new Member("either", 40, new UnionType("", List.of(new Member("bytes", 0, BYTES),
                        new Member("all", 0, ValueType.of(long.class))), 8, 8, Optional.empty())),
                new Member("late", 48, UnsignedType.of(1, ByteOrder.LITTLE_ENDIAN))), 56, 8);
        private static final String STRUCTS = """
                1020 0000 010000000200000003000000040000000500000006000000 00000000 0100020003000400 0102030405060708 03 00000000000000
                2030 0000 010000000200000003000000040000000500000006000000 00000000 0100000000000000 0102030405060708 ff 00000000000000
                """
                .replaceAll("\\s", "");

        private ReferencesImage() {}

        private static BitFieldType bits(ByteOrder order) {
            return new BitFieldType(UnsignedType.of(2, order), 4, 8);
        }

        static void write(Path base) {
            using(InfiniteArena.ofShared(base), arena -> arena.names()
                    .allocate("messages", MESSAGE, 2)
                    .copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(STRUCTS))));
        }
    }
}
