package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/// A program that uses arenas in all ways, often enough for C2 to compile everything with all slow paths in it.
final class MixedSession {
    private static final int ROUNDS = 60_000;
    private static final SlabPool POOL = SlabPool.create();

    /// Runs the program.
    ///
    /// @param args `shared`, if shared arenas are to be used as well
    public static void main(String[] args) {
        boolean shared = args.length > 0;
        for (int i = 0; i < ROUNDS; i++) {
            boolean seldom = i % 10 == 0;
            use(POOL::openConfined, seldom ? 100_000 : 32, 8, 3);
            use(POOL::openConfined, 12_000, 8, seldom ? 12 : 1);
            use(shared && i % 1_000 == 0 ? POOL::openShared : POOL::openConfined, 32, 8, 30);
            useFrame(seldom);
            use(MallocArena::ofConfined, 32, 8, 30);
            use(MallocArena::ofConfined, seldom ? 100_000 : 100, seldom ? 64 : 8, 2);
            use(shared && i % 1_000 == 0 ? MallocArena::ofShared : MallocArena::ofConfined, 32, 8, 3);
            useFree();
        }
    }

    private static void use(Supplier<? extends Arena> arenas, long byteSize, long byteAlignment, int count) {
        try (Arena arena = arenas.get()) {
            for (int i = 0; i < count; i++) {
                arena.allocate(byteSize, byteAlignment).set(ValueLayout.JAVA_LONG, 0, i);
            }
        }
    }

    private static void useFrame(boolean large) {
        try (SlabArena arena = POOL.openConfined(); Arena frame = arena.pushFrame()) {
            frame.allocate(large ? 100_000 : 32, 8).set(ValueLayout.JAVA_LONG, 0, 1);
        }
    }

    private static void useFree() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            MemorySegment segment = arena.allocate(32, 8);
            arena.allocate(32, 8);
            arena.free(segment);
            arena.allocate(32, 8);
        }
    }
}
