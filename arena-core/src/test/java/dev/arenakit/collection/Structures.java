package dev.arenakit.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.function.Supplier;

/// The structures of primitives. The tests add the numbers from 0 on to each structure.
enum Structures {
    LONG_LIST, INT_LIST, DOUBLE_LIST, LONG_LONG_MAP, TAGGED_MAP, LONG_INT_MAP, LONG_SET, INT_SET, BIT_SET;

    /// The distance of the bits, so that the set grows.
    private static final int STEP = 100;

    /// A structure to which numbers are added.
    interface Added extends AutoCloseable {
        void add(int number);

        /// Asserts that the structure contains the numbers below a number, and nothing else.
        void assertContains(int end);

        void forEach(Runnable visit);

        /// All operations except closing and text.
        List<Runnable> operations();

        @Override
        void close();
    }

    boolean isFailFast() {
        return this != BIT_SET;
    }

    Added create(SegmentAllocator allocator, long expected) {
        return switch (this) {
            case LONG_LIST -> of(LongList.create(allocator, expected));
            case INT_LIST -> of(IntList.create(allocator, expected));
            case DOUBLE_LIST -> of(DoubleList.create(allocator, expected));
            case LONG_LONG_MAP -> of(LongLongMap.create(allocator, expected));
            case TAGGED_MAP -> of(LongLongMap.tagged().create(allocator, expected));
            case LONG_INT_MAP -> of(LongIntMap.create(allocator, expected));
            case LONG_SET -> of(LongSet.create(allocator, expected));
            case INT_SET -> of(IntSet.create(allocator, expected));
            case BIT_SET -> of(LongBitSet.create(allocator, expected));
        };
    }

    Added owning(Supplier<? extends Arena> arenas, long expected) {
        return switch (this) {
            case LONG_LIST -> of(LongList.owning(arenas, expected));
            case INT_LIST -> of(IntList.owning(arenas, expected));
            case DOUBLE_LIST -> of(DoubleList.owning(arenas, expected));
            case LONG_LONG_MAP -> of(LongLongMap.owning(arenas, expected));
            case TAGGED_MAP -> of(LongLongMap.tagged().owning(arenas, expected));
            case LONG_INT_MAP -> of(LongIntMap.owning(arenas, expected));
            case LONG_SET -> of(LongSet.owning(arenas, expected));
            case INT_SET -> of(IntSet.owning(arenas, expected));
            case BIT_SET -> of(LongBitSet.owning(arenas, expected));
        };
    }

    private static void same(long actual, long expected) {
        if (actual != expected) {
            throw new AssertionError("actual=" + actual + ", expected=" + expected);
        }
    }

    private static Added of(LongList list) {
        return new Added() {
            @Override
            public void add(int number) {
                list.add(number);
            }

            @Override
            public void assertContains(int end) {
                same(list.size(), end);
                for (int i = 0; i < end; i++) {
                    if (list.get(i) != i) {
                        throw new AssertionError("index=" + i + ", value=" + list.get(i));
                    }
                }
            }

            @Override
            public void forEach(Runnable visit) {
                list.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray,
                        () -> list.get(0), () -> list.set(0, 1), () -> fill(), () -> list.truncate(0),
                        () -> list.addAll(1, 2), () -> list.binarySearch(1), () -> list.ensureCapacity(1),
                        list::clear, list::shrink, list::removeLast, () -> list.swapRemove(0), () -> list.indexOf(1),
                        () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {}));
            }

            // A list with free capacity may notice a failure only when it grows. So this adds enough values for a
            // growth.
            private void fill() {
                for (int i = 0; i < 1000; i++) {
                    list.add(i);
                }
            }

            @Override
            public void close() {
                list.close();
            }

            @Override
            public String toString() {
                return list.toString();
            }
        };
    }

    private static Added of(IntList list) {
        return new Added() {
            @Override
            public void add(int number) {
                list.add(number);
            }

            @Override
            public void assertContains(int end) {
                same(list.size(), end);
                for (int i = 0; i < end; i++) {
                    if (list.get(i) != i) {
                        throw new AssertionError("index=" + i + ", value=" + list.get(i));
                    }
                }
            }

            @Override
            public void forEach(Runnable visit) {
                list.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray,
                        () -> list.get(0), () -> list.set(0, 1), () -> fill(), () -> list.truncate(0),
                        () -> list.addAll(1, 2), () -> list.binarySearch(1), () -> list.ensureCapacity(1),
                        list::clear, list::shrink, list::removeLast, () -> list.swapRemove(0), () -> list.indexOf(1),
                        () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {}));
            }

            // A list with free capacity may notice a failure only when it grows. So this adds enough values for a
            // growth.
            private void fill() {
                for (int i = 0; i < 1000; i++) {
                    list.add(i);
                }
            }

            @Override
            public void close() {
                list.close();
            }

            @Override
            public String toString() {
                return list.toString();
            }
        };
    }

    private static Added of(DoubleList list) {
        return new Added() {
            @Override
            public void add(int number) {
                list.add(number);
            }

            @Override
            public void assertContains(int end) {
                same(list.size(), end);
                for (int i = 0; i < end; i++) {
                    if (list.get(i) != i) {
                        throw new AssertionError("index=" + i + ", value=" + list.get(i));
                    }
                }
            }

            @Override
            public void forEach(Runnable visit) {
                list.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(list::size, list::isEmpty, list::byteSize, list::sort, list::asSegment, list::stream,
                        list::toArray,
                        () -> list.get(0), () -> list.set(0, 1), () -> fill(), () -> list.truncate(0),
                        () -> list.addAll(1, 2), () -> list.binarySearch(1), () -> list.ensureCapacity(1),
                        list::clear, list::shrink, list::removeLast, () -> list.swapRemove(0), () -> list.indexOf(1),
                        () -> list.sort(0, 1),
                        () -> list.forEach(_ -> {}));
            }

            // A list with free capacity may notice a failure only when it grows. So this adds enough values for a
            // growth.
            private void fill() {
                for (int i = 0; i < 1000; i++) {
                    list.add(i);
                }
            }

            @Override
            public void close() {
                list.close();
            }

            @Override
            public String toString() {
                return list.toString();
            }
        };
    }

    private static Added of(LongLongMap map) {
        return new Added() {
            @Override
            public void add(int number) {
                map.addTo(number - 1L, number);
            }

            @Override
            public void assertContains(int end) {
                same(map.size(), end);
                for (int i = 0; i < end; i++) {
                    if (map.get(i - 1L, -1) != i) {
                        throw new AssertionError("number=" + i + ", value=" + map.get(i - 1L, -1));
                    }
                }
                long[] visited = {0};
                map.forEach((_, _) -> visited[0]++);
                same(visited[0], end);
            }

            @Override
            public void forEach(Runnable visit) {
                map.forEach((_, _) -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, () -> map.get(0, 1),
                        () -> map.put(0, 1), () -> map.remove(0), () -> map.addTo(0, 1), () -> map.containsKey(5),
                        () -> map.putIfAbsent(0, 1), () -> map.getAndPut(0, 1, 2), () -> map.getAndRemove(0, 1),
                        () -> map.tryPut(0, 1), () -> map.putAll(map), () -> map.removeIf((_, _) -> true), map::shrink,
                        () -> map.forEach((_, _) -> {}));
            }

            @Override
            public void close() {
                map.close();
            }

            @Override
            public String toString() {
                return map.toString();
            }
        };
    }

    private static Added of(LongIntMap map) {
        return new Added() {
            @Override
            public void add(int number) {
                map.addTo(number - 1L, number);
            }

            @Override
            public void assertContains(int end) {
                same(map.size(), end);
                for (int i = 0; i < end; i++) {
                    if (map.get(i - 1L, -1) != i) {
                        throw new AssertionError("number=" + i + ", value=" + map.get(i - 1L, -1));
                    }
                }
                long[] visited = {0};
                map.forEach((_, _) -> visited[0]++);
                same(visited[0], end);
            }

            @Override
            public void forEach(Runnable visit) {
                map.forEach((_, _) -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(map::size, map::isEmpty, map::byteSize, map::clear, map::cursor, () -> map.get(0, 1),
                        () -> map.put(0, 1), () -> map.remove(0), () -> map.addTo(0, 1), () -> map.containsKey(5),
                        () -> map.putIfAbsent(0, 1), () -> map.getAndPut(0, 1, 2), () -> map.getAndRemove(0, 1),
                        () -> map.tryPut(0, 1), () -> map.putAll(map), () -> map.removeIf((_, _) -> true), map::shrink,
                        () -> map.forEach((_, _) -> {}));
            }

            @Override
            public void close() {
                map.close();
            }

            @Override
            public String toString() {
                return map.toString();
            }
        };
    }

    private static Added of(LongSet set) {
        return new Added() {
            @Override
            public void add(int number) {
                set.add(number - 1);
            }

            @Override
            public void assertContains(int end) {
                same(set.size(), end);
                for (int i = 0; i < end; i++) {
                    if (!set.contains(i - 1)) {
                        throw new AssertionError("number=" + i);
                    }
                }
                long[] visited = {0};
                set.forEach(_ -> visited[0]++);
                same(visited[0], end);
            }

            @Override
            public void forEach(Runnable visit) {
                set.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(set::size, set::isEmpty, set::byteSize, set::clear, set::cursor, set::shrink,
                        () -> set.add(5), () -> set.remove(5), () -> set.contains(0), () -> set.tryAdd(0),
                        () -> set.addAll(set), () -> set.removeIf(_ -> true), () -> set.forEach(_ -> {}));
            }

            @Override
            public void close() {
                set.close();
            }

            @Override
            public String toString() {
                return set.toString();
            }
        };
    }

    private static Added of(IntSet set) {
        return new Added() {
            @Override
            public void add(int number) {
                set.add(number - 1);
            }

            @Override
            public void assertContains(int end) {
                same(set.size(), end);
                for (int i = 0; i < end; i++) {
                    if (!set.contains(i - 1)) {
                        throw new AssertionError("number=" + i);
                    }
                }
                long[] visited = {0};
                set.forEach(_ -> visited[0]++);
                same(visited[0], end);
            }

            @Override
            public void forEach(Runnable visit) {
                set.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(set::size, set::isEmpty, set::byteSize, set::clear, set::cursor, set::shrink,
                        () -> set.add(5), () -> set.remove(5), () -> set.contains(0), () -> set.tryAdd(0),
                        () -> set.addAll(set), () -> set.removeIf(_ -> true), () -> set.forEach(_ -> {}));
            }

            @Override
            public void close() {
                set.close();
            }

            @Override
            public String toString() {
                return set.toString();
            }
        };
    }

    private static Added of(LongBitSet bits) {
        return new Added() {
            @Override
            public void add(int number) {
                bits.set((long) number * STEP);
            }

            @Override
            public void assertContains(int end) {
                same(bits.cardinality(), end);
                for (int i = 0; i < end; i++) {
                    if (!bits.get((long) i * STEP)) {
                        throw new AssertionError("number=" + i);
                    }
                }
            }

            @Override
            public void forEach(Runnable visit) {
                bits.forEach(_ -> visit.run());
            }

            @Override
            public List<Runnable> operations() {
                return List.of(bits::cardinality, bits::isEmpty, bits::byteSize, bits::clear, () -> bits.get(0),
                        () -> bits.set(0),
                        () -> bits.clear(0), () -> bits.flip(0), () -> bits.set(0, 9), () -> bits.clear(0, 9),
                        () -> bits.set(5, 5), () -> bits.clear(5, 5), () -> bits.and(bits), () -> bits.or(bits),
                        () -> bits.andNot(bits),
                        () -> bits.nextSetBit(0), () -> bits.nextClearBit(0), () -> bits.forEach(_ -> {}));
            }

            @Override
            public void close() {
                bits.close();
            }

            @Override
            public String toString() {
                return bits.toString();
            }
        };
    }
}
