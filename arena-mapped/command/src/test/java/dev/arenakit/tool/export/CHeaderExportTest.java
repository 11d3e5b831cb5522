package dev.arenakit.tool.export;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class CHeaderExportTest extends InSharedMemory {
    private static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = -1, };
            struct Point { int32_t x; int32_t y; };
            struct Trade { int64_t id; enum Side side; double price; char symbol[8]; struct Point at @offset(40); };
            """);
    /// Reads trades at the place that the header gives, and prints them as `arena show` does.
    private static final String PROGRAM = """
            #include <stdio.h>
            #include "image.h"

            int main(void) {
                FILE *file = fopen("$FILE", "rb");
                if (file == NULL || fseek(file, $OFFSET, SEEK_SET) != 0) {
                    return 1;
                }
                for (int i = 0; i < $COUNT; i++) {
                    Trade trade;
                    if (fread(&trade, sizeof(trade), 1, file) != 1) {
                        return 2;
                    }
                    printf("[%d] Trade { id = %lld, side = %s, price = %.1f, symbol = \\"%.8s\\", at = Point { x = %d, y = %d } }\\n",
                           i, (long long) trade.id, trade.side == Side_BUY ? "BUY" : trade.side == Side_SELL ? "SELL" : "?",
                           trade.price, trade.symbol, trade.at.x, trade.at.y);
                }
                return 0;
            }
            """;
    private static final Pattern PLACE = Pattern
            .compile("/\\* trades: Trade\\[(\\d+)\\] in (\\S+) at (0x[0-9a-f]+), \\d+ bytes \\*/");

    @Test
    void cHeader_inAProgramOfC_readsWhatShowPrints() throws IOException, InterruptedException {
        InstalledPrograms.assume("gcc", "apt-get install gcc");
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            arena.allocate(1000, 1);
            MemorySegment trades = arena.names().allocate("trades", TRADE, 100);
            for (int i = 0; i < 100; i++) {
                MemorySegment trade = trades.asSlice(i * TRADE.byteSize(), TRADE.byteSize());
                trade.set(JAVA_LONG, 0, (1L << 60) + i);
                trade.set(JAVA_BYTE, 8, (byte) -(i % 2));
                trade.set(JAVA_DOUBLE, 16, i / 2.0);
                trade.setString(24, "S" + i);
                trade.set(JAVA_INT, 40, -i);
                trade.set(JAVA_INT, 44, i * i);
            }
        }
        String header = ExportCommandTest.export(base, "--c-header").out();
        Matcher place = PLACE.matcher(header);
        assertThat(place.find()).as(header).isTrue();
        Files.writeString(directory.resolve("image.h"), header);
        Files.writeString(directory.resolve("main.c"),
                PROGRAM.replace("$FILE", place.group(2))
                        .replace("$OFFSET", place.group(3))
                        .replace("$COUNT", place.group(1)));
        assertThat(gcc("-o", "main", "main.c")).isEmpty();
        String printed = InstalledPrograms.run(directory, directory.resolve("main").toString());
        assertThat(printed).hasLineCount(100).isEqualTo(ToolRun.of("show", base.toString(), "trades").out());
    }

    @Test
    void cHeader_typesOfOneName_haveNumbersAndCompile() throws IOException, InterruptedException {
        ExportImage.write(base);
        String header = ExportCommandTest.export(base, "--c-header").out();
        assertThat(header).startsWith("/* The allocations in the image memory. */\n\n#include <stddef.h>\n")
                .contains("} Point;\n", "} Point_2;\n", "typedef int8_t Kind_2;", "    Kind_2 Kind;\n")
                .doesNotContain("Anonymous")
                .endsWith("""

                        /* shapes: Shape[3] in memory-0 at 0x0, 600 bytes */
                        /* %s: bytes in memory-0 at 0x258, 5000 bytes */
                        /* grid * / "points": Point[2] in memory-0 at 0x4258, 28 bytes */
                        /* prices: double[100] in memory-0 at 0x4278, 800 bytes */
                        /* empty: double[0], empty */
                        """.formatted(TestImage.label(base, 1)));
        InstalledPrograms.assume("gcc", "apt-get install gcc");
        Files.writeString(directory.resolve("image.h"), header);
        Files.writeString(directory.resolve("main.c"), "#include \"image.h\"\n#include \"image.h\"\n");
        assertThat(gcc("-c", "main.c")).isEmpty();
    }

    @Test
    void cHeader_noTypes_areCommentsAlone() throws IOException {
        using(InfiniteArena.ofShared(base), arena -> arena.allocate(8));
        assertThat(ExportCommandTest.export(base, "--c-header").out()).isEqualTo("""
                /* The allocations in the image memory. */

                /* %s: bytes in memory-0 at 0x0, 8 bytes */
                """.formatted(TestImage.label(base, 0)));
    }

    private String gcc(String... options) throws IOException, InterruptedException {
        String[] command = {"gcc", "-std=c11", "-Wall", "-Wextra", "-Werror"};
        String[] line = Arrays.copyOf(command, command.length + options.length);
        System.arraycopy(options, 0, line, command.length, options.length);
        return InstalledPrograms.run(directory, line);
    }
}
