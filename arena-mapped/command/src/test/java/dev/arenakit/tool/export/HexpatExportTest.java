package dev.arenakit.tool.export;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class HexpatExportTest {
    private final Path directory;
    private final Path base;

    HexpatExportTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
        base = directory.resolve("memory");
    }

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
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate("one", struct, 1);
        }
        assertThat(ExportCommandTest.export(base, "--hexpat").out()).contains("    s8 a[3];\n    s8 b[2];\n");
    }

    @Test
    void hexpat_manyStructsWhoseBytesTell_areCutShort() {
        StructType told = LayoutText.parse("""
                #pragma layout 2
                struct T { int32_t kind; union @switch(kind) { int32_t a @case(1); float b @case(2); } value; };
                """);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate("many", told, 1_000_000);
        }
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
}
