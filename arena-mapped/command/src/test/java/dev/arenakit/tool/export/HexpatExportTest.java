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
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    /// The padding gives each member its offset.
    @Test
    void hexpat_ofEveryKindOfType_hasItsOffsets() throws IOException {
        ExportImage.write(base);
        assertThat(ExportCommandTest.export(base, "--hexpat").out()).isEqualTo("""
                /* The allocations in memory-0, of the image memory. */
                #pragma endian little
                #pragma array_limit 1048576
                #pragma pattern_limit 1048576

                enum Kind : u16 {
                    NONE = 0,
                    CIRCLE = 1,
                    BOX = 0xFFFE,
                } [[static]];

                struct Point_2 {
                    s32 x;
                    be s32 y;
                } [[static]];

                struct Circle {
                    Point_2 centre;
                    float radius;
                } [[static]];

                struct Shape_value_circle {
                    Circle circle;
                    padding[4];
                } [[static]];

                struct Shape_value_box {
                    Point_2 box[2];
                } [[static]];

                struct Shape_early_a {
                    s8 a;
                    padding[3];
                } [[static]];

                struct Shape_early_text {
                    char text[4];
                } [[static]];

                union Shape_either {
                    s16 low;
                    be float all;
                } [[static]];

                struct Shape_grid_row {
                    s16 items[3];
                } [[static]];

                struct Shape_codes_row {
                    char items[3];
                } [[static]];

                fn format_address(u64 value) {
                    return builtin::std::format("0x{:x}", value);
                };
                using Address = u64 [[format("format_address"), static]];

                struct Shape {
                    s64 id;
                    bool isFilled;
                    padding[1];
                    char16 unit;
                    Kind kind;
                    be Kind kinds[3];
                    if (kind == 1)
                        Shape_value_circle value;
                    else if (kind == 0xFFFE)
                        Shape_value_box value;
                    else
                        padding[16];
                    s32 late_ahead @ addressof(this) + 44 [[hidden]];
                    if (late_ahead == 7)
                        Shape_early_a early[2];
                    else if (late_ahead == 8)
                        Shape_early_text early[2];
                    else
                        padding[8];
                    s32 late;
                    Shape_either either;
                    Shape_grid_row grid[2];
                    char name[6];
                    Shape_codes_row codes[2];
                    char16 wide[4];
                    be char16 wider[3];
                    padding[6];
                    be double ratio;
                    Address next;
                    padding[72];
                    Point_2 path[2];
                };

                enum Kind_2 : u8 {
                    NONE = 1,
                } [[static]];

                struct Point {
                    s8 struct_;
                    s64 maxX;
                    s32 max_x;
                    Kind_2 Kind;
                } [[static]];

                /* shapes: Shape[3] in memory-0 at 0x0, 600 bytes */
                Shape shapes[3] @ 0x0;
                /* #%1$s: bytes in memory-0 at 0x258, 5000 bytes */
                u8 allocation_%1$s[5000] @ 0x258 [[name("#%1$s")]];
                /* grid * / "points": Point[2] in memory-0 at 0x4258, 28 bytes */
                Point grid_points_[2] @ 0x4258 [[name("grid */ \\"points\\"")]];
                /* prices: double[100] in memory-0 at 0x4278, 800 bytes */
                double prices[100] @ 0x4278;
                """.formatted(TestImage.label(base, 1).substring(1)));
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

        private ReferencesImage() {}

        private static BitFieldType bits(ByteOrder order) {
            return new BitFieldType(UnsignedType.of(2, order), 4, 8);
        }

        static void write(Path base) {
            using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("messages", MESSAGE, 2));
        }
    }
}
