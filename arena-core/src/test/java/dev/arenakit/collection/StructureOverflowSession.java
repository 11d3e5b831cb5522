package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.layout.LongField;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;

/// Changes each structure at each distance from the end of the stack at which a change may overflow it. Afterwards, the
/// structure has the contents of a model before or after the change, or each operation throws an exception.
final class StructureOverflowSession {
    private static final LongField QUANTITY = POSITIONS.longField("quantity");
    /// Distances without an overflow, after which there is none at larger distances.
    private static final int CALM = 12;
    private static final int CHANGES_BEFORE = 24;
    private static final int CHANGES_AFTER = 12;
    private static final String INTERRUPTED = "An Error has interrupted a change";

    private static long overflows;
    private static long interrupted;

    private StructureOverflowSession() {}

    /// @param args the number of changes at each distance, and the number of changes without an overflow before
    public static void main(String[] args) {
        int changes = Integer.parseInt(args[0]);
        int warmUp = Integer.parseInt(args[1]);
        for (Kind kind : Kind.values()) {
            for (int seed = 0; seed < warmUp; seed++) {
                run(kind, seed, -1);
            }
            long before = overflows;
            int calm = 0;
            for (int distance = 0; calm < CALM; distance++) {
                long seen = overflows;
                for (int seed = 0; seed < changes; seed++) {
                    run(kind, seed, distance);
                }
                calm = overflows == seen ? calm + 1 : 0;
            }
            if (overflows - before < CALM) {
                throw new AssertionError("Few overflows: " + kind + ", overflows=" + (overflows - before));
            }
        }
        if (args.length > 2) {
            System.out.println("overflows=" + overflows + ", interrupted=" + interrupted);
        }
        if (interrupted == 0) {
            throw new AssertionError("No change was interrupted: overflows=" + overflows);
        }
        System.out.println("no wrong answer");
    }

    /// A random change.
    private record Change(int operation, int key, int value) {
        static Change next(Random random) {
            return new Change(random.nextInt(8), random.nextInt(20), random.nextInt(1_000));
        }
    }

    private static void run(Kind kind, int seed, int distance) {
        Random random = new Random(seed);
        try (MallocArena arena = MallocArena.ofConfined();
                Subject subject = seed % 2 == 0
                        ? kind.create.apply(arena)
                        : kind.owning.apply(MallocArena::ofConfined)) {
            for (int i = 0; i < CHANGES_BEFORE; i++) {
                changeBoth(subject, Change.next(random));
            }
            Change change = Change.next(random);
            Object before = subject.model();
            boolean isOverflow = overflows(distance, () -> subject.change(change));
            subject.changeModel(change);
            Object after = subject.model();
            if (isOverflow) {
                overflows++;
                try {
                    Object contents = subject.contents();
                    if (contents.equals(before) && !contents.equals(after)) {
                        subject.change(change);
                    } else {
                        check(contents, after, kind, seed, distance, change);
                    }
                } catch (IllegalStateException e) {
                    checkInterrupted(e);
                    interrupted++;
                    checkThrows(subject, change);
                    return;
                }
            }
            for (int i = 0; i < CHANGES_AFTER; i++) {
                changeBoth(subject, Change.next(random));
            }
            check(subject.contents(), subject.model(), kind, seed, distance, change);
        }
    }

    private static void changeBoth(Subject subject, Change change) {
        subject.change(change);
        subject.changeModel(change);
    }

    private static void check(Object contents, Object expected, Kind kind, int seed, int distance, Change change) {
        if (!contents.equals(expected)) {
            throw new AssertionError("Wrong contents: " + kind + ", seed=" + seed + ", distance=" + distance + ", "
                    + change + "\n" + contents + "\n" + expected);
        }
    }

    private static void checkInterrupted(IllegalStateException e) {
        if (!e.getMessage().startsWith(INTERRUPTED)) {
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
            throw new AssertionError("Changed after an interrupted change: " + subject.structure());
        }
    }

    private static boolean hasOverflowed;

    /// Runs a change in the frame at a distance from the end of the stack, and returns whether the stack overflowed. If
    /// the distance is negative, runs the change with all of the stack.
    private static boolean overflows(int distance, Runnable change) {
        hasOverflowed = false;
        if (distance < 0) {
            change.run();
        } else {
            descend(distance, change);
        }
        return hasOverflowed;
    }

    /// Returns the distance that remains from the caller's frame.
    private static int descend(int distance, Runnable change) {
        int left;
        try {
            left = descend(distance, change);
        } catch (StackOverflowError e) {
            left = distance;
        }
        if (left == 0) {
            try {
                change.run();
            } catch (StackOverflowError e) {
                hasOverflowed = true;
            }
        }
        return left - 1;
    }

    /// A structure and its model.
    private interface Subject extends AutoCloseable {
        AutoCloseable structure();

        void change(Change change);

        void changeModel(Change change);

        /// Returns the contents, as all methods that read agree.
        Object contents();

        /// Returns a copy of the model.
        Object model();

        @Override
        default void close() {
            try {
                structure().close();
            } catch (RuntimeException e) {
                throw e;
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

    private abstract static class MapSubject<K extends Comparable<K>> implements Subject {
        private final TreeMap<K, Long> model = new TreeMap<>();

        abstract K key(int key);

        abstract void put(K key, long value);

        abstract void addTo(K key, long value);

        abstract boolean remove(K key);

        abstract void clear();

        abstract long size();

        abstract long get(K key, long missing);

        abstract void forEach(Map<K, Long> target);

        @Override
        public void change(Change change) {
            K key = key(change.key);
            switch (change.operation) {
                case 0, 1, 2, 3 -> put(key, change.value);
                case 4 -> addTo(key, change.value);
                case 5, 6 -> remove(key);
                default -> {
                    if (change.key == 0) {
                        clear();
                    } else {
                        put(key, change.value);
                    }
                }
            }
        }

        @Override
        public void changeModel(Change change) {
            K key = key(change.key);
            switch (change.operation) {
                case 4 -> model.merge(key, (long) change.value, Long::sum);
                case 5, 6 -> model.remove(key);
                default -> {
                    if (change.operation == 7 && change.key == 0) {
                        model.clear();
                    } else {
                        model.put(key, (long) change.value);
                    }
                }
            }
        }

        @Override
        public Object contents() {
            TreeMap<K, Long> found = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                long value = get(key(i), -1);
                if (value >= 0) {
                    found.put(key(i), value);
                }
            }
            TreeMap<K, Long> visited = new TreeMap<>();
            forEach(visited);
            require(size() == found.size() && visited.equals(found));
            return found;
        }

        @Override
        public Object model() {
            return new TreeMap<>(model);
        }
    }

    private static Subject of(LongLongMap map) {
        return new MapSubject<Long>() {
            @Override
            public AutoCloseable structure() {
                return map;
            }

            @Override
            Long key(int key) {
                return (long) key;
            }

            @Override
            void put(Long key, long value) {
                map.put(key, value);
            }

            @Override
            void addTo(Long key, long value) {
                map.addTo(key, value);
            }

            @Override
            boolean remove(Long key) {
                return map.remove(key);
            }

            @Override
            void clear() {
                map.clear();
            }

            @Override
            long size() {
                return map.size();
            }

            @Override
            long get(Long key, long missing) {
                return map.get(key, missing);
            }

            @Override
            void forEach(Map<Long, Long> target) {
                map.forEach(target::put);
            }
        };
    }

    private static Subject of(LongIntMap map) {
        return new MapSubject<Long>() {
            @Override
            public AutoCloseable structure() {
                return map;
            }

            @Override
            Long key(int key) {
                return (long) key;
            }

            @Override
            void put(Long key, long value) {
                map.put(key, (int) value);
            }

            @Override
            void addTo(Long key, long value) {
                map.addTo(key, (int) value);
            }

            @Override
            boolean remove(Long key) {
                return map.remove(key);
            }

            @Override
            void clear() {
                map.clear();
            }

            @Override
            long size() {
                return map.size();
            }

            @Override
            long get(Long key, long missing) {
                return map.get(key, (int) missing);
            }

            @Override
            void forEach(Map<Long, Long> target) {
                map.forEach((key, value) -> target.put(key, (long) value));
            }
        };
    }

    private static Subject of(BytesLongMap map) {
        return new MapSubject<String>() {
            @Override
            public AutoCloseable structure() {
                return map;
            }

            @Override
            String key(int key) {
                return "a key " + key;
            }

            @Override
            void put(String key, long value) {
                map.put(key, value);
            }

            @Override
            void addTo(String key, long value) {
                map.addTo(key, value);
            }

            @Override
            boolean remove(String key) {
                return map.remove(key);
            }

            @Override
            void clear() {
                map.clear();
            }

            @Override
            long size() {
                return map.size();
            }

            @Override
            long get(String key, long missing) {
                return map.get(key, missing);
            }

            @Override
            void forEach(Map<String, Long> target) {
                for (BytesLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                    target.put(cursor.keyText(), cursor.value());
                }
            }
        };
    }

    /// The values are texts of different sizes.
    private static Subject of(BytesMap map) {
        return new MapSubject<String>() {
            @Override
            public AutoCloseable structure() {
                return map;
            }

            @Override
            String key(int key) {
                return "a key " + key;
            }

            @Override
            void put(String key, long value) {
                map.put(key, value + " ".repeat((int) (value % 50)));
            }

            @Override
            void addTo(String key, long value) {
                put(key, value + Math.max(0, get(key, 0)));
            }

            @Override
            boolean remove(String key) {
                return map.remove(key);
            }

            @Override
            void clear() {
                map.clear();
            }

            @Override
            long size() {
                return map.size();
            }

            @Override
            long get(String key, long missing) {
                String text = map.get(key, Long.toString(missing));
                long value = Long.parseLong(text.strip());
                require(value == missing || text.equals(value + " ".repeat((int) (value % 50))));
                return value;
            }

            @Override
            void forEach(Map<String, Long> target) {
                for (BytesMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                    target.put(cursor.keyText(), Long.parseLong(cursor.valueText().strip()));
                }
            }
        };
    }

    private static Subject of(RecordMap<OrderKey, Position> map) {
        return new MapSubject<Long>() {
            @Override
            public AutoCloseable structure() {
                return map;
            }

            private static OrderKey record(long key) {
                return new OrderKey((byte) 1, key, "V");
            }

            @Override
            Long key(int key) {
                return (long) key;
            }

            @Override
            void put(Long key, long value) {
                map.put(record(key), position(value));
            }

            @Override
            void addTo(Long key, long value) {
                put(key, value + get(key, 0));
            }

            @Override
            boolean remove(Long key) {
                return map.remove(record(key));
            }

            @Override
            void clear() {
                map.clear();
            }

            @Override
            long size() {
                return map.size();
            }

            @Override
            long get(Long key, long missing) {
                return number(map.get(record(key), position(missing)));
            }

            @Override
            void forEach(Map<Long, Long> target) {
                map.forEach((key, value) -> target.put(key.account(), number(value)));
            }
        };
    }

    private static Position position(long number) {
        return new Position((int) number, number, number);
    }

    private static long number(Position position) {
        require(position.equals(position(position.quantity())));
        return position.quantity();
    }

    private static Subject of(StringTable table) {
        List<String> model = new ArrayList<>();
        return new Subject() {
            @Override
            public AutoCloseable structure() {
                return table;
            }

            @Override
            public void change(Change change) {
                table.intern("a text " + change.value);
            }

            @Override
            public void changeModel(Change change) {
                if (!model.contains("a text " + change.value)) {
                    model.add("a text " + change.value);
                }
            }

            @Override
            public Object contents() {
                List<String> texts = new ArrayList<>();
                for (int id = 0; id < table.size(); id++) {
                    texts.add(table.get(id));
                    require(table.find(texts.get(id)) == id);
                }
                List<String> visited = new ArrayList<>();
                table.forEach((id, _, _, _) -> visited.add(table.get(id)));
                require(visited.equals(texts) && table.find("absent") < 0);
                return texts;
            }

            @Override
            public Object model() {
                return new ArrayList<>(model);
            }
        };
    }

    private abstract static class ListSubject implements Subject {
        private final List<Long> model = new ArrayList<>();
        /// The largest number of values that are added in one change.
        private final int maxAdded;

        ListSubject(int maxAdded) {
            this.maxAdded = maxAdded;
        }

        abstract void add(long value);

        abstract void addAll(int from, int count);

        abstract void set(long index, long value);

        abstract long get(long index);

        abstract void sort();

        abstract void truncate(long size);

        abstract long size();

        @Override
        public void change(Change change) {
            switch (change.operation) {
                case 0 -> addAll(change.value, Math.min(change.key, maxAdded));
                case 1 -> sort();
                case 2 -> {
                    if (change.key < size()) {
                        set(change.key, change.value);
                    }
                }
                case 3 -> truncate(Math.min(size(), 4L * change.key));
                default -> add(change.value);
            }
        }

        @Override
        public void changeModel(Change change) {
            switch (change.operation) {
                case 0 -> {
                    for (long i = 0; i < Math.min(change.key, maxAdded); i++) {
                        model.add(change.value + i);
                    }
                }
                case 1 -> model.sort(Comparator.naturalOrder());
                case 2 -> {
                    if (change.key < model.size()) {
                        model.set(change.key, (long) change.value);
                    }
                }
                case 3 -> model.subList(Math.min(model.size(), 4 * change.key), model.size()).clear();
                default -> model.add((long) change.value);
            }
        }

        @Override
        public Object contents() {
            List<Long> values = new ArrayList<>();
            for (long i = 0; i < size(); i++) {
                values.add(get(i));
            }
            return values;
        }

        @Override
        public Object model() {
            return new ArrayList<>(model);
        }
    }

    private static Subject of(LongList list) {
        return new ListSubject(Integer.MAX_VALUE) {
            @Override
            public AutoCloseable structure() {
                return list;
            }

            @Override
            void add(long value) {
                list.add(value);
            }

            @Override
            void addAll(int from, int count) {
                long[] values = new long[count];
                for (int i = 0; i < count; i++) {
                    values[i] = from + i;
                }
                list.addAll(values);
            }

            @Override
            void set(long index, long value) {
                list.set(index, value);
            }

            @Override
            long get(long index) {
                return list.get(index);
            }

            @Override
            void sort() {
                list.sort();
            }

            @Override
            void truncate(long size) {
                list.truncate(size);
            }

            @Override
            long size() {
                return list.size();
            }
        };
    }

    private static Subject of(RecordList<Position> list) {
        return new ListSubject(1) {
            @Override
            public AutoCloseable structure() {
                return list;
            }

            @Override
            void add(long value) {
                list.add(position(value));
            }

            @Override
            void addAll(int from, int count) {
                if (count > 0) {
                    add(from);
                }
            }

            @Override
            void set(long index, long value) {
                list.set(index, position(value));
            }

            @Override
            long get(long index) {
                return number(list.get(index));
            }

            @Override
            void sort() {
                list.sort(QUANTITY);
            }

            @Override
            void truncate(long size) {
                list.truncate(size);
            }

            @Override
            long size() {
                return list.size();
            }
        };
    }

    private static Subject of(LongBitSet bits) {
        BitSet model = new BitSet();
        return new Subject() {
            @Override
            public AutoCloseable structure() {
                return bits;
            }

            @Override
            public void change(Change change) {
                int from = change.value;
                int to = from + 10 * change.key;
                switch (change.operation) {
                    case 0 -> bits.set(from, to);
                    case 1 -> bits.clear(from, to);
                    case 2 -> bits.flip(from);
                    case 3, 4, 5 -> {
                        try (LongBitSet other = LongBitSet.create(Arena.ofAuto())) {
                            other.set(from, to);
                            switch (change.operation) {
                                case 3 -> bits.and(other);
                                case 4 -> bits.or(other);
                                default -> bits.andNot(other);
                            }
                        }
                    }
                    case 6 -> bits.set(from);
                    default -> bits.clear(from);
                }
            }

            @Override
            public void changeModel(Change change) {
                int from = change.value;
                int to = from + 10 * change.key;
                BitSet other = new BitSet();
                other.set(from, to);
                switch (change.operation) {
                    case 0 -> model.set(from, to);
                    case 1 -> model.clear(from, to);
                    case 2 -> model.flip(from);
                    case 3 -> model.and(other);
                    case 4 -> model.or(other);
                    case 5 -> model.andNot(other);
                    case 6 -> model.set(from);
                    default -> model.clear(from);
                }
            }

            @Override
            public Object contents() {
                BitSet contents = new BitSet();
                bits.forEach(index -> contents.set((int) index));
                require(bits.cardinality() == contents.cardinality());
                return contents;
            }

            @Override
            public Object model() {
                return model.clone();
            }
        };
    }

    /// The lists of numbers have the same code except for the type of their elements.
    private enum Kind {
        LONG_LONG_MAP(blocks -> of(LongLongMap.create(blocks)), arenas -> of(LongLongMap.owning(arenas))),
        TAGGED_MAP(blocks -> of(LongLongMap.tagged().create(blocks)),
                arenas -> of(LongLongMap.tagged().owning(arenas))),
        LONG_INT_MAP(blocks -> of(LongIntMap.create(blocks)), arenas -> of(LongIntMap.owning(arenas))),
        BYTES_LONG_MAP(blocks -> of(BytesLongMap.create(blocks)), arenas -> of(BytesLongMap.owning(arenas))),
        BYTES_MAP(blocks -> of(BytesMap.create(blocks)), arenas -> of(BytesMap.owning(arenas))),
        RECORD_MAP(blocks -> of(RecordMap.create(blocks, KEYS, POSITIONS)),
                arenas -> of(RecordMap.owning(arenas, KEYS, POSITIONS))),
        STRING_TABLE(blocks -> of(StringTable.create(blocks)), arenas -> of(StringTable.owning(arenas))),
        LONG_LIST(blocks -> of(LongList.create(blocks)), arenas -> of(LongList.owning(arenas))),
        RECORD_LIST(blocks -> of(RecordList.create(blocks, POSITIONS)),
                arenas -> of(RecordList.owning(arenas, POSITIONS))),
        BIT_SET(blocks -> of(LongBitSet.create(blocks)), arenas -> of(LongBitSet.owning(arenas)));

        final Function<SegmentAllocator, Subject> create;
        final Function<Supplier<Arena>, Subject> owning;

        Kind(Function<SegmentAllocator, Subject> create, Function<Supplier<Arena>, Subject> owning) {
            this.create = create;
            this.owning = owning;
        }
    }
}
