package dev.arenakit.bench;

import dev.arenakit.SlabAllocator;
import dev.arenakit.SlabBlockArena;
import dev.arenakit.bench.candidate.Libc;
import dev.arenakit.bench.candidate.NativePairs;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The resident memory of a process that replaces random blocks by others, beside the size of the blocks that live: 10
/// million operations, 200,000 blocks, most of them small, some of up to 8 KiB. JMH measures time only.
///
/// `java -Xms32m -Xmx32m -XX:+AlwaysPreTouch --enable-native-access=ALL-UNNAMED -cp benchmarks.jar dev.arenakit.bench.BlockFootprint CANDIDATE` prints one
/// line. The candidates are `SlabBlockArena`, `malloc`, `mimalloc` and `jemalloc`.
final class BlockFootprint {
    private static final int BLOCKS = 200_000;
    private static final int OPERATIONS = 10_000_000;
    private static final double MIB = 1 << 20;

    private BlockFootprint() {}

    /// An allocator of addresses.
    private interface Allocator {
        long allocate(long byteSize);

        void free(long address, long byteSize);
    }

    /// Measures one candidate.
    ///
    /// @param args the name of the candidate
    public static void main(String[] args) throws IOException {
        try (SlabBlockArena arena = SlabAllocator.openConfined()) {
            measure(args[0], switch (args[0]) {
                case "SlabBlockArena" -> of(arena);
                case "malloc" -> of(Libc::mallocCritical, Libc::freeCritical);
                case "mimalloc" -> of(NativePairs::mimalloc, NativePairs::mimallocFree);
                case "jemalloc" -> of(NativePairs::jemalloc, NativePairs::jemallocFree);
                default -> throw new IllegalArgumentException(args[0]);
            });
        }
    }

    private static Allocator of(SlabBlockArena arena) {
        return new Allocator() {
            @Override
            public long allocate(long byteSize) {
                return arena.allocate(byteSize, 1).address();
            }

            @Override
            @SuppressWarnings("restricted")
            public void free(long address, long byteSize) {
                arena.free(MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null));
            }
        };
    }

    private static Allocator of(LongUnaryOperator allocate,
            LongConsumer free) {
        return new Allocator() {
            @Override
            public long allocate(long byteSize) {
                return allocate.applyAsLong(byteSize);
            }

            @Override
            public void free(long address, long byteSize) {
                free.accept(address);
            }
        };
    }

    private static void measure(String name, Allocator allocator) throws IOException {
        long[] addresses = new long[BLOCKS];
        long[] sizes = new long[BLOCKS];
        long live = 0;
        Random random = new Random(42);
        long before = residentByteSize();
        run(allocator, addresses, sizes, random, OPERATIONS);
        for (long size : sizes) {
            live += size;
        }
        long resident = residentByteSize() - before;
        System.out.printf(Locale.ROOT, "%s: %.1f MiB live, %.1f MiB resident, %.2f%n", name, live / MIB,
                resident / MIB, (double) resident / live);
        freeAll(allocator, addresses, sizes);
    }

    private static void run(Allocator allocator, long[] addresses, long[] sizes, Random random, int operations) {
        for (int i = 0; i < operations; i++) {
            int slot = random.nextInt(addresses.length);
            if (addresses[slot] != 0) {
                allocator.free(addresses[slot], sizes[slot]);
            }
            long byteSize = 16L + random.nextInt(1 << (4 + Math.min(random.nextInt(64), random.nextInt(10))));
            long address = allocator.allocate(byteSize);
            for (long offset = 0; offset < byteSize; offset += 64) {
                Libc.MEMORY.set(JAVA_BYTE, address + offset, (byte) i);
            }
            addresses[slot] = address;
            sizes[slot] = byteSize;
        }
    }

    private static void freeAll(Allocator allocator, long[] addresses, long[] sizes) {
        for (int i = 0; i < addresses.length; i++) {
            if (addresses[i] != 0) {
                allocator.free(addresses[i], sizes[i]);
                addresses[i] = 0;
                sizes[i] = 0;
            }
        }
    }

    private static long residentByteSize() throws IOException {
        System.gc();
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            return 1024 * lines.filter(line -> line.startsWith("Rss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }
}
