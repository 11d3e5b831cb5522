package dev.arenakit.tool;

import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Writes images with structures, in this process or in a process that runs the main method and is killed.
public final class TestStructures {
    public static final int ORDERS = 3;
    /// The offset of the boot in the header of a structure.
    private static final long BOOT = 72;

    private TestStructures() {}

    /// An order.
    public record Order(@Length(8) String symbol, int quantity) {}

    /// Makes a map and two trees with a few entries, an empty map, and an array.
    public static void fill(InfiniteArena arena) {
        var stock = arena.longMap("stock");
        stock.put(4711, 7);
        stock.put(4712, 0);
        var names = arena.tree("names", String.class, Order.class);
        var times = arena.longTree("times");
        for (int i = 0; i < ORDERS; i++) {
            names.put("name " + i, new Order("ARNA" + i, i * 10));
            times.put(i * 100L, -i);
        }
        arena.longMap("empty");
        arena.allocate("trades", TestImage.TRADE, 2);
    }

    /// Writes an image that its arena has closed.
    public static Path closed(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena);
        }
        return base;
    }

    /// Writes an image whose owner was killed.
    public static Path killed(Path base) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(ChildJvm.onClassPath()
                .command(TestStructures.class, base.toString())
                .command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        if (process.getInputStream().read() < 0) {
            throw new IOException("Writer has ended: exitCode=" + process.waitFor());
        }
        process.destroyForcibly();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IOException("Writer does not die");
        }
        return base;
    }

    public static void main(String[] args) throws IOException {
        InfiniteArena arena = InfiniteArena.ofShared(Path.of(args[0]));
        fill(arena);
        System.out.println("ready");
        System.in.read();
        throw new IllegalStateException("Still open: " + arena.base());
    }

    /// Makes the structures of an image whose owner was killed structures that were open when the machine failed.
    public static void lose(Path base, String... names) throws IOException {
        for (String name : names) {
            store(base, name, BOOT, 1);
        }
    }

    /// Stores a number of a structure.
    public static void store(Path base, String name, long byteOffset, long value) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                RandomAccessFile file = new RandomAccessFile(
                        ImageFiles.data(base, image.find(name).orElseThrow().file()).toFile(), "rw")) {
            file.seek(byteOffset);
            file.writeLong(Long.reverseBytes(value));
        }
    }

    /// The columns NAME and TYPE of a list.
    public static List<String> types(ToolRun list) {
        return TestImage.cells(list.out())
                .stream()
                .filter(line -> line.matches(".*\\|[13]\\|\\d+"))
                .map(line -> line.replaceAll("^([^|]*\\|[^|]*)\\|.*", "$1"))
                .toList();
    }

    /// The output without the sizes of memory.
    public static String withoutSizes(ToolRun run) {
        return run.out().replaceAll("(, | of )[0-9.]+ KiB", "");
    }

    /// The lines without indices, in order.
    public static List<String> sorted(String out) {
        return out.lines().map(line -> line.replaceAll("^\\[\\d+] ", "")).sorted().toList();
    }
}
