package dev.arenakit.mapped;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.annotation.Length;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Structures of all kinds in images, for tests that read their entries.
final class StoredEntries {
    static final String NAME = "structure";
    static final long BOOT = 1;
    /// The offset of the number of entries in the header of a map.
    static final int COUNT = 136;

    private StoredEntries() {}

    record Order(@Length(8) String symbol, int quantity) {}

    /// The structures whose entries are read. Each has the keys 0 to n - 1.
    enum Kind {
        LONG_MAP("ImageLongMap", "%1$d", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageLongMap map = arena.structures().longMap(NAME);
                return new Structure(key -> map.put(key, ~key), key -> map.put(key, ~key), map::remove);
            }
        },
        LONG_TREE("ImageTree", "%1$d", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageLongTree tree = arena.structures().longTree(NAME);
                return new Structure(key -> tree.put(key, ~key), key -> tree.put(key, ~key), tree::remove);
            }
        },
        TREE("ImageTree", "\"%1$07d\"", "Order { symbol = \"S%1$d\", quantity = %2$d }") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageTree<String, Order> tree = arena.structures().tree(NAME, String.class, Order.class);
                LongConsumer put = key -> tree.put(text(key), order(key));
                return new Structure(put, put, key -> tree.remove(text(key)));
            }
        },
        BYTES_TREE("ImageTree", "{ length = 7, bytes = [%3$s, 0, 0, 0, 0, 0, 0, 0, 0, 0, ... 496 more] }", "%2$d") {
            @Override
            Structure open(InfiniteArena arena) {
                ImageTree<byte[], Long> tree = arena.structures().tree(NAME, byte[].class, Long.class);
                LongConsumer put = key -> tree.put(text(key).getBytes(UTF_8), ~key);
                return new Structure(put, put, key -> tree.remove(text(key).getBytes(UTF_8)));
            }
        };

        final String typeName;
        private final String key;
        private final String value;

        Kind(String typeName, String key, String value) {
            this.typeName = typeName;
            this.key = key;
            this.value = value;
        }

        abstract Structure open(InfiniteArena arena);

        /// The entry of a key as [LayoutDump] prints it.
        String entry(long number) {
            String bytes = Arrays.toString(text(number).getBytes(UTF_8));
            return (typeName + " { key = " + key + ", value = " + value + " }").formatted(number, ~number,
                    bytes.substring(1, bytes.length() - 1));
        }

        boolean isTree() {
            return typeName.equals("ImageTree");
        }

        static Order order(long key) {
            return new Order("S" + key, (int) ~key);
        }

        static String text(long key) {
            return "%07d".formatted(key);
        }
    }

    /// @param put     adds an entry
    /// @param replace stores the same value again
    record Structure(LongConsumer put, LongConsumer replace, LongConsumer remove) {}

    /// Stores a number of a structure.
    ///
    /// @return the number before
    static long store(Path base, long byteOffset, long value) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(file(base), "rw")) {
            file.seek(byteOffset);
            long before = Long.reverseBytes(file.readLong());
            file.seek(byteOffset);
            file.writeLong(Long.reverseBytes(value));
            return before;
        }
    }

    static File file(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            Allocation allocation = image.find(NAME).orElseThrow();
            assertThat(allocation.byteOffset()).isZero();
            return ImageFiles.data(base, allocation.file()).toFile();
        }
    }

    /// Copies an image while its owner has it open, as a kill leaves it.
    static Path killed(Path base, Kind kind, long size) throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(BOOT).build();
                ArenaImage image = ArenaImage.open(base)) {
            LongStream.range(0, size).forEach(kind.open(arena).put());
            image.copyTo(copy);
        }
        return copy;
    }

    static void fill(Path base, Kind kind, long size) {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).build()) {
            LongStream.range(0, size).forEach(kind.open(arena).put());
        }
    }

    static NavigableSet<String> model(Kind kind, long size) {
        NavigableSet<String> model = new TreeSet<>();
        LongStream.range(0, size).mapToObj(kind::entry).forEach(model::add);
        return model;
    }

    static void assertEntries(ImageEntries entries, Kind kind, long size) throws IOException {
        List<String> found = contents(entries);
        assertThat(found.size()).isEqualTo((int) size);
        assertThat(new TreeSet<>(found).equals(model(kind, size))).isTrue();
        if (kind.isTree()) {
            assertThat(found.equals(LongStream.range(0, size).mapToObj(kind::entry).toList())).isTrue();
        }
    }

    static ImageEntries entries(ArenaImage image) throws IOException {
        return image.entries(image.find(NAME).orElseThrow()).orElseThrow();
    }

    static List<String> contents(ImageEntries entries) throws IOException {
        List<String> contents = new ArrayList<>();
        for (ImageEntries.Cursor cursor = entries.cursor(); cursor.next();) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            LayoutDump.of(entries.type()).print(ExtentSource.of(cursor.entries()), out);
            out.toString(UTF_8)
                    .lines()
                    .map(line -> line.substring(line.indexOf(' ') + 1))
                    .forEach(contents::add);
        }
        return contents;
    }

    static List<String> problems(ImageEntries entries) throws IOException {
        List<String> problems = new ArrayList<>();
        entries.check(problems::add);
        return problems;
    }
}
