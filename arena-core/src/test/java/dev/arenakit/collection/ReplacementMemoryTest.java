package dev.arenakit.collection;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static org.assertj.core.api.Assertions.assertThat;

/// Replaces the contents of each structure many times, and counts the memory that the structure takes from its source.
/// The memory has a bound that does not depend on the number of replacements.
@Tag("full")
class ReplacementMemoryTest {
    private static final int PEAK = 2_000;
    private static final int LEAST_LIVE = 20;
    /// Some entries of the peak are evicted.
    private static final long LRU_BYTE_LIMIT = 100_000;
    /// The tables of the peak and the tables left behind by their growth take half of this multiple of the peak's
    /// memory.
    private static final long MAX_RATIO = 4;

    /// A queue of numbers in a structure.
    interface Queue extends AutoCloseable {
        void add(int number);

        /// Removes the oldest number. A list removes another one.
        void remove(int oldest);

        /// Closes the structure.
        @Override
        void close();
    }

    enum Structure {
        LONG_LONG_MAP, TAGGED_MAP, LONG_INT_MAP, BYTES_LONG_MAP, BYTES_MAP, RECORD_MAP, LRU_MAP, LONG_LIST, RECORD_LIST, BIT_SET;

        private Queue create(SegmentAllocator allocator) {
            return switch (this) {
                case LONG_LONG_MAP -> of(LongLongMap.create(allocator));
                case TAGGED_MAP -> of(LongLongMap.tagged().create(allocator));
                case LONG_INT_MAP -> of(LongIntMap.create(allocator));
                case BYTES_LONG_MAP -> of(BytesLongMap.create(allocator));
                case BYTES_MAP -> of(BytesMap.create(allocator));
                case RECORD_MAP -> of(RecordMap.create(allocator, KEYS, POSITIONS));
                case LRU_MAP -> of(LruMap.create(allocator, LRU_BYTE_LIMIT));
                case LONG_LIST -> of(LongList.create(allocator));
                case RECORD_LIST -> of(RecordList.create(allocator, POSITIONS));
                case BIT_SET -> of(LongBitSet.create(allocator));
            };
        }

        private Queue owning(Supplier<Arena> arenas) {
            return switch (this) {
                case LONG_LONG_MAP -> of(LongLongMap.owning(arenas));
                case TAGGED_MAP -> of(LongLongMap.tagged().owning(arenas));
                case LONG_INT_MAP -> of(LongIntMap.owning(arenas));
                case BYTES_LONG_MAP -> of(BytesLongMap.owning(arenas));
                case BYTES_MAP -> of(BytesMap.owning(arenas));
                case RECORD_MAP -> of(RecordMap.owning(arenas, KEYS, POSITIONS));
                case LRU_MAP -> of(LruMap.owning(arenas, LRU_BYTE_LIMIT));
                case LONG_LIST -> of(LongList.owning(arenas));
                case RECORD_LIST -> of(RecordList.owning(arenas, POSITIONS));
                case BIT_SET -> of(LongBitSet.owning(arenas));
            };
        }
    }

    private record Methods(IntConsumer adding, IntConsumer removing, Runnable closing)
            implements
                Queue {
        @Override
        public void add(int number) {
            adding.accept(number);
        }

        @Override
        public void remove(int oldest) {
            removing.accept(oldest);
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    private static Queue of(LongLongMap map) {
        return new Methods(number -> map.put(number, number), map::remove, map::close);
    }

    private static Queue of(LongIntMap map) {
        return new Methods(number -> map.put(number, number), map::remove, map::close);
    }

    private static Queue of(BytesLongMap map) {
        byte[] key = new byte[16];
        return new Methods(number -> map.put(write(key, number), 0, key.length, number),
                number -> map.remove(write(key, number), 0, key.length), map::close);
    }

    /// The size of the values varies.
    private static Queue of(BytesMap map) {
        byte[] key = new byte[16];
        byte[] value = new byte[100];
        return new Methods(number -> {
            map.put(write(key, number), 0, key.length, value, 0, number % 50);
            map.put(key, 0, key.length, value, 0, number % 100);
        }, number -> map.remove(write(key, number), 0, key.length), map::close);
    }

    private static Queue of(LruMap map) {
        MemorySegment value = MemorySegment.ofArray(new byte[100]);
        return new Methods(number -> map.put(number, value.asSlice(0, number % 100)), map::remove, map::close);
    }

    private static byte[] write(byte[] key, int number) {
        key[0] = (byte) number;
        key[1] = (byte) (number >> 8);
        key[2] = (byte) (number >> 16);
        key[3] = (byte) (number >> 24);
        return key;
    }

    private static Queue of(RecordMap<OrderKey, Position> map) {
        Position value = new Position(1, 2, 3);
        return new Methods(number -> map.put(new OrderKey((byte) 1, number, "V"), value),
                number -> map.remove(new OrderKey((byte) 1, number, "V")), map::close);
    }

    private static Queue of(LongList list) {
        return new Methods(list::add, _ -> list.truncate(list.size() - 1), list::close);
    }

    private static Queue of(RecordList<Position> list) {
        Position value = new Position(1, 2, 3);
        return new Methods(_ -> list.add(value), _ -> list.truncate(list.size() - 1), list::close);
    }

    private static Queue of(LongBitSet bits) {
        return new Methods(number -> bits.set(number % PEAK), number -> bits.clear(number % PEAK), bits::close);
    }

    /// Counts bytes.
    static final class Counter {
        private long held;
        private long peak;

        void add(long byteSize) {
            held += byteSize;
            peak = Math.max(peak, held);
        }
    }

    /// Memory that is freed after a structure, the newest first.
    static final class Lifetime implements AutoCloseable {
        private final Deque<Runnable> closing = new ArrayDeque<>();
        private final Arena arena = open(Arena.ofConfined());

        SlabPool open(SlabPool pool) {
            closing.push(pool::close);
            return pool;
        }

        <A extends Arena> A open(A opened) {
            closing.push(opened::close);
            return opened;
        }

        @Override
        public void close() {
            closing.forEach(Runnable::run);
        }
    }

    /// Where memory comes from. Memory that cannot be freed counts forever.
    enum Source {
        ARENA {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure.create(counting(lifetime.arena, counter));
            }
        },
        SLICES {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure.create(
                        counting(SegmentAllocator.slicingAllocator(lifetime.arena.allocate(1L << 24)), counter));
            }
        },
        SLAB_ARENA {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure
                        .create(counting(lifetime.open(lifetime.open(SlabPool.create()).openConfined()), counter));
            }
        },
        MALLOC_ARENA {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure.create(new Blocks(lifetime.open(MallocArena.ofConfined()), counter));
            }
        },
        FREE_LIST_ARENA {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure.create(new Blocks(lifetime.open(FreeListArena.ofConfined()), counter));
            }
        },
        OWNED_ARENAS {
            @Override
            Queue create(Structure structure, Counter counter, Lifetime lifetime) {
                return structure.owning(() -> new Owned(MallocArena.ofConfined(), counter));
            }
        };

        abstract Queue create(Structure structure, Counter counter, Lifetime lifetime);
    }

    private static SegmentAllocator counting(SegmentAllocator allocator, Counter counter) {
        return (byteSize, byteAlignment) -> {
            counter.add(byteSize);
            return allocator.allocate(byteSize, byteAlignment);
        };
    }

    private record Blocks(BlockAllocator delegate, Counter counter) implements BlockAllocator {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            counter.add(byteSize);
            return delegate.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
            counter.add(newByteSize - segment.byteSize());
            return delegate.reallocate(segment, newByteSize);
        }

        @Override
        public void free(MemorySegment segment) {
            counter.add(-segment.byteSize());
            delegate.free(segment);
        }
    }

    private static final class Owned implements Arena {
        private final Arena delegate;
        private final Counter counter;
        private long allocated;

        Owned(Arena delegate, Counter counter) {
            this.delegate = delegate;
            this.counter = counter;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            counter.add(byteSize);
            allocated += byteSize;
            return delegate.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return delegate.scope();
        }

        @Override
        public void close() {
            counter.add(-allocated);
            delegate.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void replace_manyTimes_takesBoundedMemory(Source source) {
        for (Structure structure : Structure.values()) {
            replace(source, structure, 20_000);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void replace_tenMillionTimes_takesBoundedMemory(Source source) {
        for (Structure structure : Structure.values()) {
            replace(source, structure, 10_000_000);
        }
    }

    /// Adds and removes numbers. After a peak, the number of live entries grows and shrinks at random, and remains the
    /// same for some time in between.
    private static void replace(Source source, Structure structure, int replacements) {
        Counter counter = new Counter();
        try (Lifetime lifetime = new Lifetime(); Queue queue = source.create(structure, counter, lifetime)) {
            Random random = new Random(1);
            int next = 0;
            int oldest = 0;
            for (; next < PEAK; next++) {
                queue.add(next);
            }
            long peak = counter.peak;
            while (next < replacements) {
                int live = LEAST_LIVE + random.nextInt(PEAK / (1 + random.nextInt(20)) - LEAST_LIVE);
                for (; next - oldest < live; next++) {
                    queue.add(next);
                }
                for (; next - oldest > live; oldest++) {
                    queue.remove(oldest);
                }
                for (int until = next + random.nextInt(2_000); next < until; next++, oldest++) {
                    queue.add(next);
                    queue.remove(oldest);
                }
            }
            assertThat(counter.peak).as("%s of %s after a peak of %d", structure, source, peak)
                    .isLessThan(MAX_RATIO * peak);
        }
    }
}
