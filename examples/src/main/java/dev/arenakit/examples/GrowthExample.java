package dev.arenakit.examples;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Grows a [GrowableLongArray] over each kind of arena, in each of the three ways, and prints how much memory the array
/// holds.
public final class GrowthExample {
    private static final long VALUES = 1_000_000;
    private static final long CAPACITY = 1_000;
    private static final long TEBIBYTE = 1L << 40;

    private final PrintStream out;

    private GrowthExample(PrintStream out) {
        this.out = out;
    }

    /// Runs the example.
    ///
    /// @param args none
    /// @throws IOException if files cannot be created in the system's temporary directory
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(System.getProperty("java.io.tmpdir")));
    }

    static void run(PrintStream out, Path temporary) throws IOException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-growth-");
                SlabPool pool = SlabPool.create()) {
            out.printf(Locale.ROOT, "%,d longs are added one by one to an array whose initial capacity is %,d.%n%n",
                    VALUES,
                    CAPACITY);
            out.printf("  %-16s  %-21s  %6s  %15s%n", "memory from", "lifetimes", "tables", "held at the end");
            GrowthExample example = new GrowthExample(out);
            example.compare("Arena.ofConfined", Arena::ofConfined);
            example.compare("MallocArena", MallocArena::ofConfined);
            example.compare("SlabArena", pool::openConfined);
            InfiniteArena.Builder files = InfiniteArena.builder(created.path().resolve("table"))
                    .confined()
                    .uniqueBase()
                    .deleteOnClose();
            example.compare("InfiniteArena", files::build);
            example.growInPlace(files);
        }
    }

    private void compare(String name, Supplier<? extends Arena> arenas) {
        growInOneLifetime(name, "one for all tables", arenas, CAPACITY);
        Meter meter = new Meter();
        try (GrowableLongArray array = GrowableLongArray.owning(() -> new Metered(arenas.get(), meter), CAPACITY)) {
            fill(array);
            line(name, "one for each table", meter);
        }
    }

    private void growInOneLifetime(String name, String lifetimes, Supplier<? extends Arena> arenas, long capacity) {
        Meter meter = new Meter();
        try (Arena arena = new Metered(arenas.get(), meter)) {
            fill(GrowableLongArray.in(arena, capacity));
            line(name, lifetimes, meter);
        }
    }

    private void growInPlace(InfiniteArena.Builder files) {
        Meter meter = new Meter();
        try (InfiniteArena arena = files.build()) {
            GrowableSegment memory = arena.growable(TEBIBYTE);
            GrowableLongArray array = GrowableLongArray.inPlace(memory, CAPACITY);
            long address = array.asSegment().address();
            fill(array);
            meter.tables = 1;
            meter.bytesHeld = memory.byteSize();
            line("InfiniteArena", "one that grows", meter);
            array.ensureCapacity(TEBIBYTE / JAVA_LONG.byteSize());
            out.printf(Locale.ROOT,
                    "%nThe last table then grows to %s, and no value is copied: moved=%b, last value=%,d.%n"
                            + "It is a sparse file: only pages that hold a value take space on the disk.%n",
                    size(memory.byteSize()), array.asSegment().address() != address, array.get(VALUES - 1));
        }
    }

    private static void fill(GrowableLongArray array) {
        for (long i = 0; i < VALUES; i++) {
            array.add(i * i);
        }
    }

    private void line(String name, String lifetimes, Meter meter) {
        out.printf("  %-16s  %-21s  %6d  %15s%n", name, lifetimes, meter.tables, size(meter.bytesHeld));
    }

    private static String size(long bytes) {
        return bytes < TEBIBYTE
                ? String.format(Locale.ROOT, "%.1f MiB", bytes / 0x1p20)
                : String.format(Locale.ROOT, "%.1f TiB", bytes / 0x1p40);
    }

    /// Counts allocations, and the bytes that open arenas hold.
    private static final class Meter {
        private long tables;
        private long bytesHeld;
    }

    /// An arena that delegates to another arena and updates a meter.
    private static final class Metered implements Arena {
        private final Arena arena;
        private final Meter meter;
        private long byteSize;

        Metered(Arena arena, Meter meter) {
            this.arena = arena;
            this.meter = meter;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            MemorySegment segment = arena.allocate(byteSize, byteAlignment);
            meter.tables++;
            meter.bytesHeld += byteSize;
            this.byteSize += byteSize;
            return segment;
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            arena.close();
            meter.bytesHeld -= byteSize;
        }
    }
}
