package dev.arenakit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.ToLongFunction;

/// Sessions that give back all that they take, and the main class that runs one of them until it has taken so many bytes.
/// In the small ones, a leak of one table or slab in each session shows; in the large ones, a leak of a few blocks.
@SuppressWarnings("ImmutableEnumChecker") // the sessions capture nothing
enum LeakSession {
    MALLOC_SMALL(random -> {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return useAndFree(arena, random, 20, Largest.SMALL);
        }
    }), MALLOC_LARGE(random -> {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return useAndFree(arena, random, 10, Largest.LARGE);
        }
    }), MALLOC_CHECKED_AND_SHARED(random -> {
        try (MallocArena arena = MallocArena.builder().shared().checked().build()) {
            return useAndFree(arena, random, 10, Largest.LARGE);
        }
    }), SLAB_SMALL(random -> {
        try (SlabArena arena = Pools.POOL.openConfined()) {
            return useWithFrame(arena, random, 20, Largest.SMALL);
        }
    }), SLAB_LARGE(random -> {
        try (SlabArena arena = Pools.POOL.openConfined()) {
            return useWithFrame(arena, random, 10, Largest.LARGE);
        }
    });

    private static final long PAGE = 4096;
    private static final Path PROCESS = Path.of("/proc/self/status");

    private final ToLongFunction<Random> session;

    LeakSession(ToLongFunction<Random> session) {
        this.session = session;
    }

    /// Sizes in bytes that the blocks stay below.
    private static final class Largest {
        static final long SMALL = 16 << 10;
        static final long LARGE = 4 << 20;
    }

    /// Of the sessions that need it.
    private static final class Pools {
        static final SlabPool POOL = SlabPool.create();
    }

    private static long useAndFree(MallocArena arena, Random random, int blocks, long largest) {
        long taken = 0;
        for (int i = 0; i < blocks; i++) {
            MemorySegment segment = touched(arena, random, largest);
            taken += segment.byteSize();
            switch (random.nextInt(4)) {
                case 0 -> arena.free(segment);
                case 1 -> arena.free(arena.reallocate(segment, segment.byteSize() * 2));
                case 2 -> arena.reallocate(segment, segment.byteSize() / 2).fill((byte) 1);
                default -> taken += arena.allocateZeroed(100, 8).byteSize();
            }
        }
        return taken;
    }

    private static long useWithFrame(SlabArena arena, Random random, int blocks, long largest) {
        long taken = 0;
        for (int i = 0; i < blocks / 2; i++) {
            taken += touched(arena, random, largest).byteSize();
        }
        try (Arena frame = arena.pushFrame()) {
            for (int i = 0; i < blocks / 2; i++) {
                taken += touched(frame, random, largest).byteSize();
            }
        }
        return taken;
    }

    /// A new segment, of which each page has been written to.
    private static MemorySegment touched(Arena arena, Random random, long largest) {
        MemorySegment segment = arena.allocate(random.nextLong(1, largest), 1L << random.nextInt(8));
        for (long offset = 0; offset < segment.byteSize(); offset += PAGE) {
            segment.set(ValueLayout.JAVA_BYTE, offset, (byte) 1);
        }
        return segment;
    }

    /// Prints by how many bytes the process has grown since it had done a tenth of its work.
    ///
    /// @param args the name of the session, and how many bytes to take in all
    public static void main(String[] args) throws IOException {
        ToLongFunction<Random> session = valueOf(args[0]).session;
        long volume = Long.parseLong(args[1]);
        Random random = new Random(1);
        long taken = 0;
        while (taken < volume / 10) {
            taken += session.applyAsLong(random);
        }
        long before = kilobytes(PROCESS, "VmRSS:");
        while (taken < volume) {
            taken += session.applyAsLong(random);
        }
        System.out.println((kilobytes(PROCESS, "VmRSS:") - before) * 1024);
    }

    /// The number behind a name in a file of /proc.
    static long kilobytes(Path file, String name) throws IOException {
        String line = Files.readAllLines(file).stream().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
