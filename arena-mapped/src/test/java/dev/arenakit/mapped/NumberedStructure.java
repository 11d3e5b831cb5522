package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A structure from ints to longs whose changes follow from their numbers. The value of an entry is the number of the
/// change that has put it.
interface NumberedStructure {
    void put(int key, long value);

    void remove(int key);

    /// The number of entries that the structure has counted.
    long size();

    Map<Integer, Long> contents();

    /// The kinds of structures.
    enum Kind {
        LONG_MAP, LONG_TREE, TEXT_TREE, TABLE;

        private static final int MOST_KEYS = 30_000;
        private static final int FIRST_KEYS = 100;

        /// Opens the structure, or creates it.
        NumberedStructure open(InfiniteArena arena) {
            return switch (this) {
                case LONG_MAP -> new LongMap(arena.structures().longMap(TestTree.NAME));
                case LONG_TREE -> new Tree(TestTree.Kind.LONGS.open(arena));
                case TEXT_TREE -> new Tree(TestTree.Kind.TEXTS.open(arena));
                case TABLE -> new Table(arena.structures().table(TestTree.NAME, TableRow.class));
            };
        }

        /// Opens the structure for reading.
        NumberedStructure open(ArenaImage image, Arena arena) throws IOException {
            return switch (this) {
                case LONG_MAP -> new LongMap(image.structures(arena).longMap(TestTree.NAME));
                case LONG_TREE -> new Tree(TestTree.Kind.LONGS.open(image, arena));
                case TEXT_TREE -> new Tree(TestTree.Kind.TEXTS.open(image, arena));
                case TABLE -> new Table(image.structures(arena).table(TestTree.NAME, TableRow.class));
            };
        }

        /// Makes the change with a number. The number of keys grows, so that structures do.
        ///
        /// @return the key that was changed
        int change(NumberedStructure structure, long number) {
            if (this == TABLE) {
                structure.put((int) number, number);
                return (int) number;
            }
            SplittableRandom random = new SplittableRandom(number);
            int key = random.nextInt((int) Math.min(MOST_KEYS, FIRST_KEYS + number));
            if (random.nextInt(4) == 0) {
                structure.remove(key);
            } else {
                structure.put(key, number);
            }
            return key;
        }
    }

    /// The expected contents of a structure.
    record Model(Map<Integer, Long> contents) implements NumberedStructure {
        Model() {
            this(new HashMap<>());
        }

        @Override
        public void put(int key, long value) {
            contents.put(key, value);
        }

        @Override
        public long size() {
            return contents.size();
        }

        @Override
        public void remove(int key) {
            contents.remove(key);
        }
    }

    /// A map of longs.
    record LongMap(ImageLongMap map) implements NumberedStructure {
        @Override
        public void put(int key, long value) {
            map.put(key, value);
        }

        @Override
        public long size() {
            return map.size();
        }

        @Override
        public void remove(int key) {
            map.remove(key);
        }

        @Override
        public Map<Integer, Long> contents() {
            Map<Integer, Long> contents = new HashMap<>();
            map.forEach((key, value) -> contents.put((int) key, value));
            return contents;
        }
    }

    /// A tree.
    record Tree(TestTree tree) implements NumberedStructure {
        @Override
        public void put(int key, long value) {
            tree.put(key, value);
        }

        @Override
        public long size() {
            return tree.size();
        }

        @Override
        public void remove(int key) {
            tree.remove(key);
        }

        @Override
        public Map<Integer, Long> contents() {
            return tree.contents();
        }
    }

    /// A table, whose keys are the indexes of its rows.
    record Table(GrowableTable<TableRow> table) implements NumberedStructure {
        @Override
        public void put(int key, long value) {
            table.append(TableRow.of(value));
        }

        @Override
        public long size() {
            return table.size();
        }

        @Override
        public void remove(int key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<Integer, Long> contents() {
            return LongStream.range(0, table.size()).boxed().collect(Collectors.toMap(Long::intValue, this::number));
        }

        private long number(long index) {
            TableRow row = table.get(index);
            if (!row.equals(TableRow.of(row.number()))) {
                throw new AssertionError("Row is not whole: " + row);
            }
            return row.number();
        }
    }
}
