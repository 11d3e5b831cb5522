package dev.arenakit.collection;

import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static org.assertj.core.api.Assertions.assertThat;

/// All structures but rings and caches. The tests add the numbers from 0 on to each structure.
enum Structures {
    LONG_LIST, INT_LIST, DOUBLE_LIST, LONG_LONG_MAP, TAGGED_MAP, LONG_INT_MAP, LONG_SET, INT_SET, BIT_SET, BYTES_LONG_MAP, BYTES_MAP, RECORD_MAP, RECORD_LIST;

    private static final Set<Structures> PRIMITIVE = EnumSet.range(LONG_LIST, BIT_SET);

    /// The distance of the bits, so that the set grows.
    private static final int STEP = 100;

    /// A structure to which numbers are added.
    ///
    /// @param removing   removes a number, or the last one from a list
    /// @param operations all operations except closing and text
    record Added(Object structure, Runnable closing, IntConsumer adding, IntConsumer removing, LongSupplier count,
            IntPredicate presence, Consumer<Runnable> visiting, List<Runnable> operations) implements AutoCloseable {
        void add(int number) {
            adding.accept(number);
        }

        void addAll(int end) {
            for (int i = 0; i < end; i++) {
                add(i);
            }
        }

        void remove(int number) {
            removing.accept(number);
        }

        boolean has(int number) {
            return presence.test(number);
        }

        /// Asserts that the structure contains the numbers below a number, and nothing else.
        void assertContains(int end) {
            assertThat(count.getAsLong()).isEqualTo(end);
            for (int i = 0; i < end; i++) {
                if (!has(i)) {
                    throw new AssertionError("Number is lost: " + i + " of " + end + ", " + structure);
                }
            }
            long[] visited = {0};
            forEach(() -> visited[0]++);
            assertThat(visited[0]).isEqualTo(end);
        }

        void forEach(Runnable visit) {
            visiting.accept(visit);
        }

        @Override
        public void close() {
            closing.run();
        }

        @Override
        public String toString() {
            return structure.toString();
        }
    }

    /// The number of blocks of memory that a structure has at most.
    int blocks() {
        return this == BYTES_LONG_MAP || this == BYTES_MAP || this == RECORD_MAP ? 2 : 1;
    }

    /// A number of entries that takes some growths, and little time.
    int entries() {
        return PRIMITIVE.contains(this) ? 1_000 : 600;
    }

    boolean isFailFast() {
        return this != BIT_SET;
    }

    Added create(SegmentAllocator allocator, long size) {
        return switch (this) {
            case LONG_LIST -> of(LongList.create(allocator, size));
            case INT_LIST -> of(IntList.create(allocator, size));
            case DOUBLE_LIST -> of(DoubleList.create(allocator, size));
            case LONG_LONG_MAP -> of(LongLongMap.create(allocator, size));
            case TAGGED_MAP -> of(LongLongMap.tagged().create(allocator, size));
            case LONG_INT_MAP -> of(LongIntMap.create(allocator, size));
            case LONG_SET -> of(LongSet.create(allocator, size));
            case INT_SET -> of(IntSet.create(allocator, size));
            case BIT_SET -> of(LongBitSet.create(allocator, size));
            case BYTES_LONG_MAP -> of(BytesLongMap.create(allocator, size, 0));
            case BYTES_MAP -> of(BytesMap.create(allocator, size, 0));
            case RECORD_MAP -> of(RecordMap.create(allocator, KEYS, POSITIONS, size));
            case RECORD_LIST -> of(RecordList.create(allocator, POSITIONS, size));
        };
    }

    Added owning(Supplier<? extends Arena> arenas, long size) {
        return switch (this) {
            case LONG_LIST -> of(LongList.owning(arenas, size));
            case INT_LIST -> of(IntList.owning(arenas, size));
            case DOUBLE_LIST -> of(DoubleList.owning(arenas, size));
            case LONG_LONG_MAP -> of(LongLongMap.owning(arenas, size));
            case TAGGED_MAP -> of(LongLongMap.tagged().owning(arenas, size));
            case LONG_INT_MAP -> of(LongIntMap.owning(arenas, size));
            case LONG_SET -> of(LongSet.owning(arenas, size));
            case INT_SET -> of(IntSet.owning(arenas, size));
            case BIT_SET -> of(LongBitSet.owning(arenas, size));
            case BYTES_LONG_MAP -> of(BytesLongMap.owning(arenas, size, 0));
            case BYTES_MAP -> of(BytesMap.owning(arenas, size, 0));
            case RECORD_MAP -> of(RecordMap.owning(arenas, KEYS, POSITIONS, size));
            case RECORD_LIST -> of(RecordList.owning(arenas, POSITIONS, size));
        };
    }

    // A list with free capacity may notice a failure only when it grows. So this adds enough values for a growth.
    private static void fill(IntConsumer adding) {
        for (int i = 0; i < 1000; i++) {
            adding.accept(i);
        }
    }

    private static Added of(LongList list) {
        return new Added(list, list::close, list::add, _ -> list.removeLast(), list::size, i -> list.get(i) == i,
                visit -> list.forEach(_ -> visit.run()),
                List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray, () -> list.get(0), () -> list.set(0, 1), () -> fill(list::add),
                        () -> list.truncate(0), () -> list.addAll(1, 2), () -> list.binarySearch(1),
                        () -> list.ensureCapacity(1), list::clear, list::shrink, list::removeLast,
                        () -> list.swapRemove(0), () -> list.indexOf(1), () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {})));
    }

    private static Added of(IntList list) {
        return new Added(list, list::close, list::add, _ -> list.removeLast(), list::size, i -> list.get(i) == i,
                visit -> list.forEach(_ -> visit.run()),
                List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray, () -> list.get(0), () -> list.set(0, 1), () -> fill(list::add),
                        () -> list.truncate(0), () -> list.addAll(1, 2), () -> list.binarySearch(1),
                        () -> list.ensureCapacity(1), list::clear, list::shrink, list::removeLast,
                        () -> list.swapRemove(0), () -> list.indexOf(1), () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {})));
    }

    private static Added of(DoubleList list) {
        return new Added(list, list::close, list::add, _ -> list.removeLast(), list::size, i -> list.get(i) == i,
                visit -> list.forEach(_ -> visit.run()),
                List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray, () -> list.get(0), () -> list.set(0, 1), () -> fill(list::add),
                        () -> list.truncate(0), () -> list.addAll(1, 2), () -> list.binarySearch(1),
                        () -> list.ensureCapacity(1), list::clear, list::shrink, list::removeLast,
                        () -> list.swapRemove(0), () -> list.indexOf(1), () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {})));
    }

    private static Added of(LongLongMap map) {
        return new Added(map, map::close, i -> map.addTo(i - 1L, i), i -> map.remove(i - 1L), map::size,
                i -> map.get(i - 1L, -1) == i, visit -> map.forEach((_, _) -> visit.run()),
                List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, () -> map.get(0, 1),
                        () -> map.put(0, 1), () -> map.remove(0), () -> map.addTo(0, 1), () -> map.containsKey(5),
                        () -> map.putIfAbsent(0, 1), () -> map.getAndPut(0, 1, 2), () -> map.getAndRemove(0, 1),
                        () -> map.tryPut(0, 1), () -> map.putAll(map), () -> map.removeIf((_, _) -> true), map::shrink,
                        () -> map.forEach((_, _) -> {})));
    }

    private static Added of(LongIntMap map) {
        return new Added(map, map::close, i -> map.addTo(i - 1L, i), i -> map.remove(i - 1L), map::size,
                i -> map.get(i - 1L, -1) == i, visit -> map.forEach((_, _) -> visit.run()),
                List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, () -> map.get(0, 1),
                        () -> map.put(0, 1), () -> map.remove(0), () -> map.addTo(0, 1), () -> map.containsKey(5),
                        () -> map.putIfAbsent(0, 1), () -> map.getAndPut(0, 1, 2), () -> map.getAndRemove(0, 1),
                        () -> map.tryPut(0, 1), () -> map.putAll(map), () -> map.removeIf((_, _) -> true), map::shrink,
                        () -> map.forEach((_, _) -> {})));
    }

    private static Added of(LongSet set) {
        return new Added(set, set::close, i -> set.add(i - 1), i -> set.remove(i - 1), set::size,
                i -> set.contains(i - 1), visit -> set.forEach(_ -> visit.run()),
                List.of(set::size, set::isEmpty, set::byteSize, set::clear, set::cursor, set::shrink,
                        () -> set.add(5), () -> set.remove(5), () -> set.contains(0), () -> set.tryAdd(0),
                        () -> set.addAll(set), () -> set.removeIf(_ -> true), () -> set.forEach(_ -> {})));
    }

    private static Added of(IntSet set) {
        return new Added(set, set::close, i -> set.add(i - 1), i -> set.remove(i - 1), set::size,
                i -> set.contains(i - 1), visit -> set.forEach(_ -> visit.run()),
                List.of(set::size, set::isEmpty, set::byteSize, set::clear, set::cursor, set::shrink,
                        () -> set.add(5), () -> set.remove(5), () -> set.contains(0), () -> set.tryAdd(0),
                        () -> set.addAll(set), () -> set.removeIf(_ -> true), () -> set.forEach(_ -> {})));
    }

    private static Added of(LongBitSet bits) {
        return new Added(bits, bits::close, i -> bits.set((long) i * STEP), i -> bits.clear((long) i * STEP),
                bits::cardinality, i -> bits.get((long) i * STEP), visit -> bits.forEach(_ -> visit.run()),
                List.of(bits::cardinality, bits::isEmpty, bits::byteSize, bits::clear, () -> bits.get(0),
                        () -> bits.set(0), () -> bits.clear(0), () -> bits.flip(0), () -> bits.set(0, 9),
                        () -> bits.clear(0, 9), () -> bits.set(5, 5), () -> bits.clear(5, 5), () -> bits.and(bits),
                        () -> bits.or(bits), () -> bits.andNot(bits), () -> bits.nextSetBit(0),
                        () -> bits.nextClearBit(0), () -> bits.forEach(_ -> {})));
    }

    private static Added of(BytesLongMap map) {
        return new Added(map, map::close, i -> map.put("key-" + i, i), i -> map.remove("key-" + i), map::size,
                i -> map.get("key-" + i, -1) == i, visit -> map.forEach((_, _, _, _) -> visit.run()),
                List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, map::shrink,
                        () -> map.get("key", 1), () -> map.put("key", 1), () -> map.remove("key-0"),
                        () -> map.forEach((_, _, _, _) -> {})));
    }

    private static Added of(BytesMap map) {
        return new Added(map, map::close, i -> map.put("key-" + i, value(i)), i -> map.remove("key-" + i), map::size,
                i -> map.get("key-" + i, "").equals(value(i)), visit -> map.forEach((_, _, _, _, _) -> visit.run()),
                List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, map::shrink,
                        () -> map.get("key", ""), () -> map.put("key", ""), () -> map.remove("key-0"),
                        () -> map.forEach((_, _, _, _, _) -> {})));
    }

    /// The size of the values varies.
    private static String value(int number) {
        return "v" + number + " ".repeat(number % 50);
    }

    private static Added of(RecordMap<OrderKey, Position> map) {
        Position missing = new Position(-1, 0, 0);
        return new Added(map, map::close, i -> map.put(key(i), new Position(i, i, i)), i -> map.remove(key(i)),
                map::size, i -> map.get(key(i), missing).equals(new Position(i, i, i)),
                visit -> map.forEach((_, _) -> visit.run()),
                List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, map::shrink,
                        () -> map.get(key(0), missing), () -> map.put(key(0), missing), () -> map.remove(key(0)),
                        () -> map.forEach((_, _) -> {})));
    }

    private static OrderKey key(int number) {
        return new OrderKey((byte) 1, number, "V");
    }

    private static Added of(RecordList<Position> list) {
        return new Added(list, list::close, i -> list.add(new Position(i, i, i)), _ -> list.removeLast(), list::size,
                i -> i < list.size() && list.get(i).equals(new Position(i, i, i)),
                visit -> list.forEach(_ -> visit.run()),
                List.of(list::size, list::isEmpty, list::byteSize, list::segment, () -> list.truncate(0),
                        () -> list.addZeroed(0), () -> list.sort(POSITIONS.longField("quantity")),
                        () -> list.binarySearch(POSITIONS.longField("quantity"), 1), () -> list.get(0),
                        () -> list.add(new Position(1, 2, 3)), list::clear, list::shrink, list::stream));
    }
}
