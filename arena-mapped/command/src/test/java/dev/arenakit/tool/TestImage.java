package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes images with arenas, in this process or in a process that runs the main method and is killed.
public final class TestImage {
    /// The label of an allocation without a name, such as `#27`.
    ///
    /// @param index the position among the allocations
    public static String label(Path base, int index) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return "#" + image.allocations().toList().get(index).number();
        }
    }

    public static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            enum Side : int8_t { BUY = 0, SELL = 1, };
            struct Trade { int64_t id; enum Side side; double price; char symbol[8]; };
            """);
    /// The size of a trade.
    public static final int BYTES = 32;
    /// A number that a double cannot represent.
    public static final long EXACT = (1L << 60) + 1;

    private TestImage() {}

    /// Allocates a thousand trades, five of them not zero; ten allocations that are freed; some doubles; and bytes
    /// without a type.
    public static void fill(InfiniteArena arena) {
        MemorySegment trades = arena.names().allocate("trades", TRADE, 1000);
        trade(trades, 0, EXACT, 0, 9.5, "ARNA");
        trade(trades, 1, -1, 1, Double.NaN, "a\"\u001b[31m");
        trade(trades, 2, 2, 7, 1e300, "\u202eabc");
        trade(trades, 998, 3, 1, Double.NEGATIVE_INFINITY, "12345678");
        trade(trades, 999, 4, 0, 0.1, "");
        arena.names().allocate("old", TRADE, 10);
        arena.names().free("old");
        arena.names().allocate("prices", JAVA_DOUBLE, 1 << 20).setAtIndex(JAVA_DOUBLE, 1 << 19, 2.5);
        MemorySegment unknown = arena.allocate(1 << 20, 8);
        for (int i = 0; i < 1000; i++) {
            unknown.setAtIndex(JAVA_INT, i, i * i);
        }
    }

    /// Damages all records in the catalog of an image.
    public static void damageRecords(Path base) throws IOException {
        Path catalog = base.resolveSibling(base.getFileName() + ".catalog");
        byte[] bytes = Files.readAllBytes(catalog);
        int line = 64;
        for (int at = 4 * line; at < 64 * line; at += line) {
            if (bytes[at] != 0) {
                bytes[at + line / 2] ^= 0x55;
            }
        }
        Files.write(catalog, bytes);
    }

    /// Writes an image that its arena has closed.
    public static Path closed(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena);
        }
        return base;
    }

    /// Writes the image of [#closed] in one file.
    public static Path chunked(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 26).build()) {
            fill(arena);
        }
        return base;
    }

    /// Writes an image whose owner is killed in the middle of its work.
    ///
    /// @return the dead process
    public static Process killed(Path base) throws IOException, InterruptedException {
        return killed(command(base));
    }

    /// Runs a process, and kills it when it has printed something.
    static Process killed(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        if (process.getInputStream().read() < 0) {
            throw new IOException("Writer has ended: exitCode=" + process.waitFor());
        }
        process.destroyForcibly();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IOException("Writer does not die");
        }
        return process;
    }

    /// The command line of a process that writes an image until it is killed, and prints when it is ready.
    public static List<String> command(Path base) {
        return ChildJvm.onClassPath().command(TestImage.class, base.toString()).command();
    }

    public static void main(String[] args) {
        InfiniteArena arena = InfiniteArena.ofShared(Path.of(args[0]));
        fill(arena);
        MemorySegment counter = arena.names().allocate("counter", JAVA_LONG, 1);
        counter.set(JAVA_LONG, 0, 1);
        System.out.println("ready");
        for (long n = 1;; n++) {
            counter.set(JAVA_LONG, 0, n);
        }
    }

    private static void trade(MemorySegment trades, long index, long id, int side, double price, String symbol) {
        MemorySegment trade = trades.asSlice(index * BYTES, BYTES);
        trade.set(JAVA_LONG, 0, id);
        trade.set(JAVA_BYTE, 8, (byte) side);
        trade.set(JAVA_DOUBLE, 16, price);
        byte[] text = symbol.getBytes(UTF_8);
        trade.asSlice(24, text.length).copyFrom(MemorySegment.ofArray(text));
    }

    /// The lines of a table, with `|` in place of the spaces between columns.
    public static List<String> cells(String table) {
        return table.lines().map(line -> line.replaceAll("  +", "|")).toList();
    }

    /// Makes a file smaller.
    public static void truncate(Path file, long byteSize) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(byteSize);
        }
    }
}
