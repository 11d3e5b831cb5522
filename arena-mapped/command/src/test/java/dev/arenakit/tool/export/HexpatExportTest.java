package dev.arenakit.tool.export;

import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.TestImage;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

                union Shape_value {
                    Circle circle;
                    Point_2 box[2];
                } [[static]];

                union Shape_early {
                    s8 a;
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
                    Shape_value value;
                    Shape_early early[2];
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
                } [[static]];

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

    /// A variable of ImHex has one byte order.
    @Test
    void hexpat_bitFieldsOfBothOrders_areBytes() {
        StructType both = new StructType("Both", List.of(new Member("kind", 0, bits(ByteOrder.LITTLE_ENDIAN)),
                new Member("count", 0, bits(ByteOrder.BIG_ENDIAN))), 2, 2);
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("both", both, 1));
        assertThat(ExportCommandTest.export(base, "--hexpat").out())
                .contains("struct Both {\n    u8 kind_bits[2];\n} [[static]];");
    }

    private static BitFieldType bits(ByteOrder order) {
        return new BitFieldType(UnsignedType.of(2, order), 4, 8);
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
                        + "\"Kind%3A%3ACIRCLE\",\"Kind%3A%3ANONE\"],\"value\":{\"circle\":{\"centre\":{\"x\":11,\"y\":21},",
                "\"box\":[{\"x\":11,\"y\":21},{\"x\":12,\"y\":22}]},\"early\":[{\"a\":97,\"text\":\"abc%00\"}",
                "\"grid\":[{\"items\":[100,101,102]},{\"items\":[103,104,105]}]",
                "\"ratio\":0.25,\"next\":\"0x7f0000001000\",\"path\":[{\"x\":61,\"y\":50},{\"x\":62,\"y\":52}]",
                "\"struct_\":-1,\"maxX\":2199023255552,\"max_x\":-4");
    }

}
