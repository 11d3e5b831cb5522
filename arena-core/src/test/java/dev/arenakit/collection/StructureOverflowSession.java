package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.StackDepth;
import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.internal.collection.bytes.KeyText;
import dev.arenakit.layout.LongField;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.BitSet;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;

/// Changes each structure while an error interrupts the change: at each distance from the end of the stack at which it
/// may overflow, or in each call. Afterwards, the structure has the contents of its twin, in which nothing is interrupted,
/// before or after the change, or each operation throws an exception.
public final class StructureOverflowSession {
    private static final LongField QUANTITY = POSITIONS.longField("quantity");
    /// The number of places without an error after which a change has none in later places. A change makes some calls
    /// more or less each time, because maps have random factors.
    private static final int CALM = 12;
    private static final int NOWHERE = -1;
    /// The number of changes of each structure in which each call throws an error.
    private static final int FAULTY_CHANGES = 25;
    private static final int CHANGES_BEFORE = 24;
    private static final int CHANGES_AFTER = 12;
    /// Numbers without a meaning for a structure mean an addition.
    private static final int OPERATIONS = 16;
    private static final int KEYS_CHANGED = 20;
    /// Some of these keys are always missing.
    private static final int KEYS_TRIED = 25;
    private static final int MISSING = -1;
    /// All keys fit, and entries move.
    private static final long LRU_BYTE_LIMIT = 2_600;
    /// A part of the messages of structures, and of the arenas whose blocks they use.
    private static final String INTERRUPTED = " has interrupted ";

    private static int interrupted;

    private StructureOverflowSession() {}

    /// Lets the stack overflow.
    ///
    /// @param args the number of changes at each distance, and the number of changes without an overflow before
    public static void main(String[] args) {
        interruptAll(Integer.parseInt(args[0]), Integer.parseInt(args[1]), StructureOverflowSession::overflows);
    }

    /// Lets each call of a change throw an error, by [CallFaults].
    public static void faults() {
        interruptAll(FAULTY_CHANGES, 1, (call, change) -> {
            try {
                CallFaults.throwAt(Math.max(0, call + 1));
                change.run();
                return false;
            } catch (StackOverflowError e) {
                return true;
            } finally {
                CallFaults.throwAt(0);
            }
        });
    }

    private static void interruptAll(int changes, int warmUp, Interrupter interrupter) {
        for (Kind kind : Kind.values()) {
            for (int seed = 0; seed < warmUp; seed++) {
                run(kind, seed, NOWHERE, interrupter);
            }
            int before = interrupted;
            for (int seed = 0; seed < changes; seed++) {
                int calm = 0;
                for (int place = 0; calm < CALM; place++) {
                    calm = run(kind, seed, place, interrupter) ? 0 : calm + 1;
                }
            }
            if (interrupted == before) {
                throw new AssertionError("No change was interrupted: " + kind);
            }
        }
        System.out.println("no wrong answer");
    }

    /// Runs a change that an error interrupts, and returns whether it did.
    private interface Interrupter {
        /// @param place where the error occurs, or [#NOWHERE]
        boolean interrupts(int place, Runnable change);
    }

    /// A random change.
    private record Change(int operation, int key, int value) {
        static Change next(Random random) {
            return new Change(random.nextInt(OPERATIONS), random.nextInt(KEYS_CHANGED), random.nextInt(1_000));
        }
    }

    private static boolean run(Kind kind, int seed, int place, Interrupter interrupter) {
        Random random = new Random(seed);
        try (MallocArena arena = MallocArena.ofConfined();
                Subject subject = seed % 2 == 0
                        ? kind.create(arena)
                        : kind.owning(MallocArena::ofConfined);
                Subject twin = kind.owning(MallocArena::ofConfined)) {
            for (int i = 0; i < CHANGES_BEFORE; i++) {
                changeBoth(subject, twin, Change.next(random));
            }
            Change change = Change.next(random);
            Object before = twin.contents();
            boolean isInterrupted = interrupter.interrupts(place, () -> subject.change(change));
            twin.change(change);
            Object after = twin.contents();
            if (isInterrupted) {
                interrupted++;
                try {
                    Object contents = subject.contents();
                    if (contents.equals(before) && !contents.equals(after)) {
                        subject.change(change);
                    } else {
                        check(contents, after, kind, seed, place, change);
                    }
                } catch (IllegalStateException e) {
                    checkInterrupted(e);
                    checkThrows(subject, change);
                    return true;
                }
            }
            for (int i = 0; i < CHANGES_AFTER; i++) {
                changeBoth(subject, twin, Change.next(random));
            }
            check(subject.contents(), twin.contents(), kind, seed, place, change);
            return isInterrupted;
        }
    }

    private static void changeBoth(Subject subject, Subject twin, Change change) {
        subject.change(change);
        twin.change(change);
    }

    private static void check(Object contents, Object expected, Kind kind, int seed, int place, Change change) {
        if (!contents.equals(expected)) {
            throw new AssertionError("Wrong contents: " + kind + ", seed=" + seed + ", place=" + place + ", "
                    + change + "\n" + contents + "\n" + expected);
        }
    }

    private static void checkInterrupted(IllegalStateException e) {
        if (!e.toString().contains(INTERRUPTED)) {
            throw e;
        }
    }

    private static void checkThrows(Subject subject, Change change) {
        for (int i = 0; i < 2; i++) {
            try {
                subject.change(change);
            } catch (IllegalStateException e) {
                checkInterrupted(e);
                continue;
            }
            throw new AssertionError("Changed after an interrupted change: " + subject.structure);
        }
    }

    /// Runs a change at a distance from the end of the stack, and returns whether the stack overflowed. If the distance is
    /// negative, runs the change with all of the stack.
    private static boolean overflows(int distance, Runnable change) {
        if (distance < 0) {
            change.run();
            return false;
        }
        return StackDepth.overflows(StackDepth.deepest() - distance, change);
    }

    /// A structure.
    private abstract static class Subject implements AutoCloseable {
        private final AutoCloseable structure;

        Subject(AutoCloseable structure) {
            this.structure = structure;
        }

        abstract void change(Change change);

        /// Returns the contents. All methods that read agree.
        abstract Object contents();

        @Override
        public void close() {
            try {
                structure.close();
            } catch (IllegalStateException e) {
                // The arena cannot free single blocks any more.
                checkInterrupted(e);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void require(boolean isSo) {
        if (!isSo) {
            throw new AssertionError("The methods of a structure disagree");
        }
    }

    /// The methods of a map.
    private record Methods<K>(AutoCloseable map, IntFunction<K> key, ObjLongConsumer<K> put, ObjLongConsumer<K> addTo,
            Consumer<K> remove, Runnable clear, Runnable shrink, LongSupplier size, ToLongFunction<K> get,
            Consumer<Map<K, Long>> copyTo) {}

    private static final class MapSubject<K extends Comparable<K>> extends Subject {
        private final Methods<K> methods;

        MapSubject(Methods<K> methods) {
            super(methods.map);
            this.methods = methods;
        }

        @Override
        void change(Change change) {
            K key = methods.key.apply(change.key);
            switch (change.operation) {
                case 0 -> methods.addTo.accept(key, change.value);
                case 1, 2 -> methods.remove.accept(key);
                case 3 -> methods.clear.run();
                case 4 -> methods.shrink.run();
                default -> methods.put.accept(key, change.value);
            }
        }

        @Override
        Object contents() {
            TreeMap<K, Long> found = new TreeMap<>();
            for (int i = 0; i < KEYS_TRIED; i++) {
                K key = methods.key.apply(i);
                long value = methods.get.applyAsLong(key);
                if (value != MISSING) {
                    found.put(key, value);
                }
            }
            TreeMap<K, Long> visited = new TreeMap<>();
            methods.copyTo.accept(visited);
            require(methods.size.getAsLong() == found.size() && visited.equals(found));
            return found;
        }
    }

    private static Subject of(LongLongMap map) {
        return new MapSubject<>(new Methods<>(map, key -> (long) key, map::put, map::addTo, map::remove, map::clear,
                map::shrink, map::size, key -> map.get(key, MISSING), target -> map.forEach(target::put)));
    }

    private static Subject of(LongIntMap map) {
        return new MapSubject<Long>(new Methods<>(map, key -> (long) key, (key, value) -> map.put(key, (int) value),
                (key, value) -> map.addTo(key, (int) value), map::remove, map::clear, map::shrink, map::size,
                key -> map.get(key, MISSING), target -> map.forEach((key, value) -> target.put(key, (long) value))));
    }

    private static Subject of(BytesLongMap map) {
        return new MapSubject<String>(new Methods<>(map, key -> "a key " + key, map::put, map::addTo, map::remove,
                map::clear, map::shrink, map::size, key -> map.get(key, MISSING), target -> {
                    for (BytesLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                        target.put(cursor.keyText(), cursor.value());
                    }
                }));
    }

    private static Subject of(BytesMap map) {
        return new MapSubject<String>(new Methods<>(map, key -> "a key " + key,
                (key, value) -> map.put(key, text(value)),
                (key, value) -> map.put(key, text(value + number(map.get(key, text(0))))), map::remove, map::clear,
                map::shrink, map::size, key -> number(map.get(key, text(MISSING))), target -> {
                    for (BytesMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                        target.put(cursor.keyText(), number(cursor.valueText()));
                    }
                }));
    }

    private static Subject of(LruMap map) {
        return new MapSubject<String>(new Methods<>(map, key -> "a key " + key,
                (key, value) -> map.put(key, text(value)),
                (key, value) -> map.put(key, text(value + number(map.getText(key, text(0))))), map::remove, map::clear,
                () -> {}, map::size, key -> number(map.getText(key, text(MISSING))),
                target -> map.forEach((bytes, keyOffset, keyByteSize, valueOffset, valueByteSize) -> target.put(
                        KeyText.decode(bytes, keyOffset, keyByteSize),
                        number(KeyText.decode(bytes, valueOffset, valueByteSize))))));
    }

    /// Returns a text whose size depends on the number.
    private static String text(long number) {
        return number + " ".repeat((int) Math.abs(number % 50));
    }

    private static long number(String text) {
        long number = Long.parseLong(text.strip());
        require(text.equals(text(number)));
        return number;
    }

    private static Subject of(RecordMap<OrderKey, Position> map) {
        return new MapSubject<OrderKeyOrder>(new Methods<>(map, OrderKeyOrder::new,
                (key, value) -> map.put(key.record(), position(value)),
                (key, value) -> map.put(key.record(), position(value + number(map.get(key.record(), position(0))))),
                key -> map.remove(key.record()), map::clear, map::shrink, map::size,
                key -> number(map.get(key.record(), position(MISSING))),
                target -> map
                        .forEach((key, value) -> target.put(new OrderKeyOrder((int) key.account()), number(value)))));
    }

    private record OrderKeyOrder(int account) implements Comparable<OrderKeyOrder> {
        OrderKey record() {
            return new OrderKey((byte) 1, account, "V");
        }

        @Override
        public int compareTo(OrderKeyOrder other) {
            return Integer.compare(account, other.account);
        }
    }

    private static Position position(long number) {
        return new Position((int) number, number, number);
    }

    private static long number(Position position) {
        require(position.equals(position(position.quantity())));
        return position.quantity();
    }

    /// The methods that change a list.
    private record ListMethods(AutoCloseable list, LongConsumer add, LongConsumer setFirst, Runnable sort,
            LongConsumer truncate, Runnable addZeros, LongConsumer swapRemove, Runnable removeLast, Runnable shrink,
            LongSupplier size, LongUnaryOperator get) {}

    private static Subject ofList(ListMethods methods) {
        return new Subject(methods.list) {
            @Override
            void change(Change change) {
                switch (change.operation) {
                    case 0 -> methods.sort.run();
                    case 1 -> methods.truncate.accept(methods.size.getAsLong() / 2);
                    case 2 -> {
                        if (methods.size.getAsLong() > 0) {
                            methods.setFirst.accept(change.value);
                        }
                    }
                    case 3 -> methods.addZeros.run();
                    case 4 -> {
                        if (methods.size.getAsLong() > 0) {
                            methods.swapRemove.accept(0);
                        }
                    }
                    case 5 -> {
                        if (methods.size.getAsLong() > 0) {
                            methods.removeLast.run();
                        }
                    }
                    case 6 -> methods.shrink.run();
                    default -> methods.add.accept(change.value);
                }
            }

            @Override
            Object contents() {
                return LongStream.range(0, methods.size.getAsLong()).map(methods.get).boxed().toList();
            }
        };
    }

    private static Subject of(LongList list) {
        return ofList(new ListMethods(list, list::add, value -> list.set(0, value), list::sort, list::truncate,
                () -> list.addAll(0, 0), list::swapRemove, list::removeLast, list::shrink, list::size, list::get));
    }

    private static Subject of(RecordList<Position> list) {
        return ofList(new ListMethods(list, value -> list.add(position(value)),
                value -> list.set(0, position(value)), () -> list.sort(QUANTITY), list::truncate,
                () -> list.addZeroed(2), list::swapRemove, list::removeLast, list::shrink, list::size,
                index -> number(list.get(index))));
    }

    private static Subject of(LongBitSet bits) {
        return new Subject(bits) {
            @Override
            void change(Change change) {
                int from = change.value;
                int to = from + 10 * change.key;
                switch (change.operation) {
                    case 0 -> bits.set(from, to);
                    case 1 -> bits.clear(from, to);
                    case 2 -> bits.flip(from);
                    case 3 -> bits.and(range(from, to));
                    case 4 -> bits.or(range(from, to));
                    case 5 -> bits.andNot(range(from, to));
                    case 6 -> bits.clear(from);
                    default -> bits.set(from);
                }
            }

            private static LongBitSet range(int from, int to) {
                LongBitSet range = LongBitSet.create(Arena.ofAuto());
                range.set(from, to);
                return range;
            }

            @Override
            Object contents() {
                BitSet contents = new BitSet();
                bits.forEach(index -> contents.set((int) index));
                require(bits.cardinality() == contents.cardinality());
                return contents;
            }
        };
    }

    /// The lists of numbers have the same code except for the type of their elements.
    private enum Kind {
        LONG_LONG_MAP, TAGGED_MAP, LONG_INT_MAP, BYTES_LONG_MAP, BYTES_MAP, RECORD_MAP, LRU_MAP, LONG_LIST, RECORD_LIST, BIT_SET;

        Subject create(SegmentAllocator allocator) {
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

        Subject owning(Supplier<? extends Arena> arenas) {
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
}
