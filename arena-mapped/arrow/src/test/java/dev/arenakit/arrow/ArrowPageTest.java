package dev.arenakit.arrow;

import dev.arenakit.arrow.ArrowIpcExample.Side;
import dev.arenakit.arrow.ArrowIpcExample.Trade;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/arrow.md` with the examples, and with the output of Python.
class ArrowPageTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path EXAMPLES = Path.of("src/test/java/dev/arenakit/arrow");
    private static final int COUNT = 1000;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment trades = arena.allocate(ArrowIpcExample.TRADES.type().layout(), COUNT);
    private final Path directory;

    ArrowPageTest(@TempDir Path directory) {
        this.directory = directory;
        for (int i = 0; i < COUNT; i++) {
            ArrowIpcExample.TRADES.set(trades, i * ArrowIpcExample.TRADES.type().byteSize(),
                    new Trade(i, i % 3 == 0 ? Side.SELL : Side.BUY, 9.5 + i % 4, i % 2 == 0 ? "ARNA" : "ARNB"));
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void javaBlocks_areLinesOfTheExamples() throws IOException {
        String examples = example("ArrowIpcExample") + example("ArrowCExample");
        assertThat(blocks("arrow.md", "java")).hasSize(5)
                .allSatisfy(block -> assertThat(examples).contains(withoutIndentation(block)));
    }

    @Test
    void examples_ofAllFormats_writeTheSameRows() throws IOException {
        ArrowIpcExample.writeFile(trades, directory.resolve("trades.arrow"));
        ArrowIpcExample.writePieces(List.of(trades.asSlice(0, trades.byteSize() / 2),
                trades.asSlice(trades.byteSize() / 2)), directory.resolve("pieces.arrow"));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        ArrowIpcExample.writeStream(trades, Channels.newChannel(stream));
        ArrowRows rows = ArrowRows.ofFile(Files.readAllBytes(directory.resolve("trades.arrow")));
        assertThat(rows.rows()).hasSize(COUNT).element(1).isEqualTo(List.of(1L, "BUY", 10.5, "ARNB"));
        assertThat(ArrowRows.ofFile(Files.readAllBytes(directory.resolve("pieces.arrow"))).rows())
                .isEqualTo(rows.rows());
        assertThat(ArrowRows.ofStream(stream.toByteArray()).rows()).isEqualTo(rows.rows());
    }

    @Test
    void examples_ofTheCInterfaces_exportTheRows() {
        List<Long> prices = new ArrayList<>();
        ArrowCExample.exportList((schema, array) -> {
            for (long price : new CArray(schema, array).longs()) {
                prices.add(price);
            }
        });
        assertThat(prices).containsExactly(995L, 1005L, 1010L);
        List<ArrowRows> read = new ArrayList<>();
        try (Arena shared = Arena.ofShared()) {
            MemorySegment copy = shared.allocate(trades.byteSize()).copyFrom(trades);
            ArrowCExample.exportStream(copy, address -> read.add(ArrowRows.ofCStream(address)));
        }
        assertThat(read.getFirst().rows()).hasSize(COUNT).element(1).isEqualTo(List.of(1L, "BUY", 10.5, "ARNB"));
    }

    @Test
    void pythonBlock_printsItsComments() throws IOException, InterruptedException {
        String block = blocks("arrow.md", "python").getFirst();
        PythonRun.assumeModules(directory, "pyarrow, polars, duckdb");
        ArrowIpcExample.writeFile(trades, directory.resolve("trades.arrow"));
        PythonRun run = PythonRun.of(directory, "-c", block);
        assertThat(run.output()).isEqualTo(block.lines()
                .filter(line -> line.startsWith("# "))
                .map(line -> line.substring(2) + "\n")
                .collect(Collectors.joining()));
    }

    private static String example(String name) throws IOException {
        return withoutIndentation(Files.readString(EXAMPLES.resolve(name + ".java")));
    }

    private static List<String> blocks(String page, String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(DOCS.resolve(page), UTF_8))
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
