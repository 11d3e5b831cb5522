package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.tree.TreeKeyForm;
import dev.arenakit.mapped.internal.tree.TreePages;
import dev.arenakit.mapped.internal.tree.TreeReader;
import dev.arenakit.mapped.internal.tree.TreeScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// A tree of one kind whose keys are made from ints, and its values from longs.
interface TestTree {
    String NAME = "tree";

    /// A value that no tree contains.
    long MISSING = Long.MIN_VALUE;

    boolean put(int key, long value);

    boolean remove(int key);

    /// Returns the value of a key, or null.
    @Nullable
    Long get(int key);

    long size();

    void clear();

    /// The entries in the order of the tree.
    NavigableMap<Integer, Long> contents();

    /// The entries, read in descending order.
    NavigableMap<Integer, Long> descending();

    /// The kinds of trees.
    enum Kind {
        LONGS, RECORDS, TEXTS, BYTES;

        private static final RecordMapper<Row> ROWS = RecordMapper.of(MethodHandles.lookup(), Row.class);

        /// Opens the tree, or creates it.
        TestTree open(InfiniteArena arena) {
            return open(arena.structures());
        }

        /// Opens the tree for reading.
        TestTree open(ArenaImage image, Arena arena) throws IOException {
            return open(image.structures(arena));
        }

        private TestTree open(ImageStructures structures) {
            return switch (this) {
                case LONGS -> new Longs(structures.longTree(NAME));
                case RECORDS -> new Objects<>(this, structures.tree(NAME, Long.class, ROWS), Kind::longKey);
                case TEXTS -> new Objects<>(this, structures.tree(NAME, String.class, ROWS), Kind::text);
                case BYTES -> new Objects<>(this, structures.tree(NAME, byte[].class, ROWS), Kind::bytes);
            };
        }

        /// Opens the tree in some memory for reading.
        TestTree read(MemorySegment memory) throws IOException {
            return switch (this) {
                case LONGS -> new Longs(
                        new ImageLongTree(TreeReader.attach(NAME, () -> memory, Long.BYTES, Long.BYTES)));
                case RECORDS -> read(memory, Long.class, Kind::longKey);
                case TEXTS -> read(memory, String.class, Kind::text);
                case BYTES -> read(memory, byte[].class, Kind::bytes);
            };
        }

        private <K> TestTree read(MemorySegment memory, Class<K> keys, IntFunction<K> key) throws IOException {
            ImageTree.Form<K, Row> form = ImageTree.Form.of(TreeKeyForm.of(keys), ROWS);
            TreeReader reader = TreeReader.attach(NAME, () -> memory, form.keys().keyByteSize(),
                    form.values().byteSize());
            return new Objects<>(this, new ImageTree<>(form, reader), key);
        }

        /// A view of a tree that compares the check of each page.
        TestTree checked(TestTree tree) {
            return switch (tree) {
                case Longs longs -> new Longs(longs.tree.asChecked());
                case Objects<?> objects -> objects.checked();
                default -> throw new AssertionError(tree);
            };
        }

        private static long longKey(int key) {
            return (long) key << 20;
        }

        /// A text that is ordered as its number. Some texts are much longer than others.
        private static String text(int key) {
            String digits = Integer.toUnsignedString(key ^ Integer.MIN_VALUE, 36);
            return "0".repeat(7 - digits.length()) + digits + "é".repeat(key % 50 == 0 ? 240 : key & 7);
        }

        private static byte[] bytes(int key) {
            return text(key).getBytes(UTF_8);
        }

        private static int key(Object key) {
            return switch (key) {
                case Long number -> (int) (number >> 20);
                case String text when text.length() < 7 -> throw new AssertionError(text);
                case String text -> Integer.parseUnsignedInt(text.substring(0, 7), 36) ^ Integer.MIN_VALUE;
                case byte[] bytes -> key(new String(bytes, UTF_8));
                default -> throw new AssertionError(key);
            };
        }
    }

    /// A value that shows whether it is whole.
    record Row(long value, int low, int inverse, short check) {
        static Row of(long value) {
            return new Row(value, (int) value, ~(int) value, (short) (value * 31));
        }

        long checked() {
            if (!equals(of(value))) {
                throw new AssertionError("Value is not whole: " + this);
            }
            return value;
        }
    }

    /// Returns the damage of the tree in an image.
    static List<String> problems(Path base, long boot) {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            Allocation allocation = image.allocations()
                    .filter(each -> each.name().equals(Optional.of(NAME)) && each.isLive())
                    .findFirst()
                    .orElseThrow();
            return problems(image.segment(allocation, arena), boot);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the damage of a tree in some memory.
    static List<String> problems(MemorySegment memory, long boot) {
        List<String> problems = new ArrayList<>();
        try {
            StructureFormat.check(memory, NAME, StructureKind.TREE);
            TreePages pages = TreePages.of(NAME, memory, memory.get(StructureFormat.INT, StructureFormat.KEY_SIZE),
                    memory.get(StructureFormat.INT, StructureFormat.VALUE_SIZE));
            TreeScan.check(NAME, TreeScan.Source.of(memory), pages, memory, StructureFormat.isLost(memory, boot),
                    problems::add);
            problems.removeIf(problem -> problem.startsWith("Entries were not forced"));
            return problems;
        } catch (IllegalStateException e) {
            problems.add(String.valueOf(e.getMessage()));
            return problems;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A tree from longs to longs.
    record Longs(ImageLongTree tree) implements TestTree {
        @Override
        public boolean put(int key, long value) {
            return tree.put(key, value);
        }

        @Override
        public boolean remove(int key) {
            return tree.remove(key);
        }

        @Override
        public @Nullable Long get(int key) {
            long value = tree.get(key, MISSING);
            return value == MISSING ? null : (Long) value;
        }

        @Override
        public long size() {
            return tree.size();
        }

        @Override
        public void clear() {
            tree.clear();
        }

        @Override
        public NavigableMap<Integer, Long> contents() {
            NavigableMap<Integer, Long> contents = new TreeMap<>();
            tree.forEach((key, value) -> add(contents, (int) key, value));
            return contents;
        }

        @Override
        public NavigableMap<Integer, Long> descending() {
            NavigableMap<Integer, Long> contents = new TreeMap<>();
            tree.descend(Long.MIN_VALUE, Long.MAX_VALUE, (key, value) -> {
                contents.put((int) key, value);
                return true;
            });
            return contents;
        }
    }

    /// A tree of objects.
    record Objects<K>(Kind kind, ImageTree<K, Row> tree, IntFunction<K> keys) implements TestTree {
        TestTree checked() {
            return new Objects<>(kind, tree.asChecked(), keys);
        }

        @Override
        public boolean put(int key, long value) {
            return tree.put(keys.apply(key), Row.of(value));
        }

        @Override
        public boolean remove(int key) {
            return tree.remove(keys.apply(key));
        }

        @Override
        public @Nullable Long get(int key) {
            long value = tree.get(keys.apply(key), Row.of(MISSING)).checked();
            return value == MISSING ? null : (Long) value;
        }

        @Override
        public long size() {
            return tree.size();
        }

        @Override
        public void clear() {
            tree.clear();
        }

        @Override
        public NavigableMap<Integer, Long> contents() {
            NavigableMap<Integer, Long> contents = new TreeMap<>();
            tree.forEach((key, row) -> add(contents, Kind.key(key), row.checked()));
            return contents;
        }

        @Override
        public NavigableMap<Integer, Long> descending() {
            NavigableMap<Integer, Long> contents = new TreeMap<>();
            tree.last().ifPresent(last -> tree.descend(last.getKey(), (key, row) -> {
                contents.put(Kind.key(key), row.checked());
                return true;
            }));
            return contents;
        }
    }

    private static void add(NavigableMap<Integer, Long> contents, int key, long value) {
        if (!contents.isEmpty() && contents.lastKey() >= key) {
            throw new AssertionError("Not in order: " + contents.lastKey() + ", " + key);
        }
        contents.put(key, value);
    }
}
