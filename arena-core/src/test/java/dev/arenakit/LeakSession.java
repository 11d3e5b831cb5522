package dev.arenakit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.ToLongFunction;

/// Sessions that free all their memory, and the main class that repeats one of them until it has allocated a given
/// number of bytes. The small sessions reveal a leak of one table or slab per session, the large ones a leak of a few
/// blocks.
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

    /// Upper bounds of block sizes, in bytes, exclusive.
    private static final class Largest {
        static final long SMALL = 16 << 10;
        static final long LARGE = 4 << 20;
    }

    /// The pool of the sessions that need one.
    private static final class Pools {
        static final SlabPool POOL = SlabPool.create();
    }

    private static long useAndFree(MallocArena arena, Random random, int blocks, long largest) {
        long allocated = 0;
        for (int i = 0; i < blocks; i++) {
            MemorySegment segment = touched(arena, random, largest);
            allocated += segment.byteSize();
            switch (random.nextInt(4)) {
                case 0 -> arena.free(segment);
                case 1 -> arena.free(arena.reallocate(segment, segment.byteSize() * 2));
                case 2 -> arena.reallocate(segment, segment.byteSize() / 2).fill((byte) 1);
                default -> allocated += arena.allocateZeroed(100, 8).byteSize();
            }
        }
        return allocated;
    }

    private static long useWithFrame(SlabArena arena, Random random, int blocks, long largest) {
        long allocated = 0;
        for (int i = 0; i < blocks / 2; i++) {
            allocated += touched(arena, random, largest).byteSize();
        }
        try (Arena frame = arena.pushFrame()) {
            for (int i = 0; i < blocks / 2; i++) {
                allocated += touched(frame, random, largest).byteSize();
            }
        }
        return allocated;
    }

    /// A new segment with a write to each page.
    private static MemorySegment touched(Arena arena, Random random, long largest) {
        MemorySegment segment = arena.allocate(random.nextLong(1, largest), 1L << random.nextInt(8));
        for (long offset = 0; offset < segment.byteSize(); offset += PAGE) {
            segment.set(ValueLayout.JAVA_BYTE, offset, (byte) 1);
        }
        return segment;
    }

    /// Prints by how many bytes the process has grown since it completed a tenth of its work.
    ///
    /// @param args the name of the session, and how many bytes to allocate in total
    public static void main(String[] args) throws IOException {
        ToLongFunction<Random> session = valueOf(args[0]).session;
        long volume = Long.parseLong(args[1]);
        Random random = new Random(1);
        long allocated = 0;
        while (allocated < volume / 10) {
            allocated += session.applyAsLong(random);
        }
        long before = kilobytes(PROCESS, "VmRSS:");
        while (allocated < volume) {
            allocated += session.applyAsLong(random);
        }
        System.out.println((kilobytes(PROCESS, "VmRSS:") - before) * 1024);
    }

    /// The number that follows a name in a file of /proc.
    static long kilobytes(Path file, String name) throws IOException {
        String line = Files.readAllLines(file).stream().filter(l -> l.startsWith(name)).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
