package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;

/// The kinds of memory for the tests of a structure.
enum ByteModelMemory {
    /// An allocator that frees nothing, over the heap.
    HEAP,
    /// An arena that frees its blocks at its end.
    BOUND,
    /// Blocks that move when they grow.
    BLOCKS,
    /// Blocks of malloc.
    MALLOC,
    /// An arena for each table.
    OWNING;

    <T extends AutoCloseable> T create(Made made, Factory<T> factory) {
        return switch (this) {
            case HEAP -> factory.create((byteSize, byteAlignment) -> MemorySegment
                    .ofArray(new byte[Math.toIntExact(byteSize) + 3])
                    .fill((byte) 0xA5)
                    .asSlice(3, byteSize, byteAlignment));
            case BOUND -> {
                Arena arena = made.arena();
                yield factory.create((byteSize, byteAlignment) -> arena.allocate(byteSize, byteAlignment)
                        .fill((byte) 0xA5));
            }
            case BLOCKS -> factory.create(made.allocator);
            case MALLOC -> {
                MallocArena arena = MallocArena.ofConfined();
                made.bound.add(arena);
                yield factory.create(arena);
            }
            case OWNING -> factory.owning(made::arena);
        };
    }

    /// The two ways to create a structure.
    record Factory<T extends AutoCloseable>(Function<SegmentAllocator, T> ofAllocator,
            Function<Supplier<? extends Arena>, T> ofArenas) {
        T create(SegmentAllocator allocator) {
            return ofAllocator.apply(allocator);
        }

        T owning(Supplier<? extends Arena> arenas) {
            return ofArenas.apply(arenas);
        }
    }

    /// The allocators and arenas that were made for a structure.
    static final class Made implements AutoCloseable {
        final TestAllocator allocator = new TestAllocator();
        private final List<Arena> arenas = new ArrayList<>();
        private final List<Arena> bound = new ArrayList<>();

        Arena arena() {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            return arena;
        }

        long openArenas() {
            return arenas.stream().filter(arena -> arena.scope().isAlive()).count();
        }

        /// Asserts that a closed structure has released everything that it owns.
        void assertReleased(ByteModelMemory memory) {
            assertThat(allocator.held()).isZero();
            assertThat(memory == OWNING ? openArenas() : 0).as("arenas that were not closed").isZero();
        }

        @Override
        public void close() {
            arenas.stream().filter(arena -> arena.scope().isAlive()).forEach(Arena::close);
            bound.forEach(Arena::close);
        }
    }
}
