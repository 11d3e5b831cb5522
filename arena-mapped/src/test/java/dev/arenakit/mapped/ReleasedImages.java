package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// The images that releases have written: a zip file for each release, with a plain and a chunked image of the same
/// contents, and another one that was written on aarch64, where pages have 16 KiB.
///
/// Surefire runs this class only if it is named: it writes the zip file of the next release.
public final class ReleasedImages {
    /// The zip files, from 0.1.0 on.
    static final List<String> ZIPS = List.of("images-0.1.0.zip", "images-aarch64-16k.zip");

    private static final RecordMapper<Row> ROWS = RecordMapper.of(Row.class);
    private static final StructType LONGS = StructType.wrapperOf(MemoryType.of(JAVA_LONG));
    private static final int COUNT = 50;

    ReleasedImages() {}

    /// A row with padding and a text.
    public record Row(long number, byte kind, @Length(13) String text, double price) {
        static Row of(long number) {
            return new Row(number, (byte) number, "row " + number, number / 4.0);
        }
    }

    @Test
    void images_ofTheNextRelease_areWritten() throws IOException {
        Path directory = TestFileSystem.BUILD.newDirectory();
        try (InfiniteArena plain = InfiniteArena.ofShared(directory.resolve("plain"));
                InfiniteArena chunked = InfiniteArena.builder(directory.resolve("chunked"))
                        .chunked(1 << 16)
                        .catalog(CatalogLevel.FULL)
                        .build()) {
            fill(plain);
            fill(chunked);
        }
        assertFilled(directory.resolve("plain"));
        assertFilled(directory.resolve("chunked"));
        try (OutputStream file = Files.newOutputStream(Path.of("target/images.zip"));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Path path : TestFileSystem.list(directory)) {
                zip.putNextEntry(new ZipEntry(String.valueOf(path.getFileName())));
                Files.copy(path, zip);
            }
        }
        TestFileSystem.remove(directory);
    }

    private static void fill(InfiniteArena arena) {
        arena.allocate(100, 8).fill((byte) 'a');
        ROWS.setAtIndex(arena.names().allocate("row", ROWS.type(), 3), 2, Row.of(2));
        arena.names().allocate("freed", JAVA_LONG, 10);
        arena.names().free("freed");
        arena.names().allocate("empty", JAVA_LONG, 0);
        GrowableSegment growing = arena.names().growable("growing", LONGS, 1_000);
        growing.grow(COUNT * 8L).setAtIndex(JAVA_LONG, COUNT - 1, 7);
        growing.elementCount(COUNT);
        GrowableTable<Row> table = arena.structures().table("table", Row.class);
        ImageLongMap longMap = arena.structures().longMap("long map");
        ImageLongTree longTree = arena.structures().longTree("long tree");
        ImageTree<String, Row> tree = arena.structures().tree("tree", String.class, Row.class);
        for (int i = 0; i < COUNT; i++) {
            table.append(Row.of(i));
            longMap.put(i, -i);
            longTree.put(i, -i);
            tree.put("key " + i, Row.of(i));
        }
        longMap.remove(1);
        longTree.remove(1);
        tree.remove("key 1");
        arena.names().seal("row");
    }

    /// Asserts that an image has what a release has written.
    static void assertFilled(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).isEmpty();
            Allocation unnamed = image.allocations().findFirst().orElseThrow();
            assertThat(image.segment(unnamed, arena).get(JAVA_BYTE, 99)).isEqualTo((byte) 'a');
            Allocation row = image.get("row", ROWS.type());
            assertThat(ROWS.getAtIndex(image.segment(row, arena), 2)).isEqualTo(Row.of(2));
            assertThat(image.integrity().seal(row)).isPresent();
            assertThat(image.integrity().damage(row)).isEmpty();
            assertThat(image.find("freed")).isEmpty();
            assertThat(image.find("empty").orElseThrow().byteSize()).isZero();
            Allocation growing = image.get("growing", LONGS);
            assertThat(growing.elementCount()).hasValue(COUNT);
            assertThat(image.segment(growing, arena).getAtIndex(JAVA_LONG, COUNT - 1)).isEqualTo(7);
            assertThat(image.structures(arena).table("table", Row.class).stream()).hasSize(COUNT).contains(Row.of(1));
            assertEntries(image.structures(arena).longMap("long map"), image.structures(arena).longTree("long tree"),
                    image.structures(arena).tree("tree", String.class, Row.class));
        }
    }

    private static void assertEntries(ImageLongMap longMap, ImageLongTree longTree,
            ImageTree<String, Row> tree) {
        assertThat(List.of(longMap.size(), longTree.size(), tree.size())).containsOnly(COUNT - 1L);
        TreeMap<String, Row> entries = new TreeMap<>();
        for (int i = 0; i < COUNT; i++) {
            boolean isThere = i != 1;
            assertThat(longMap.get(i, 1)).isEqualTo(isThere ? -i : 1);
            assertThat(longTree.get(i, 1)).isEqualTo(isThere ? -i : 1);
            if (isThere) {
                entries.put("key " + i, Row.of(i));
            }
        }
        TreeMap<String, Row> found = new TreeMap<>();
        tree.forEach(found::put);
        assertThat(found).isEqualTo(entries);
    }

    /// Changes an image that a release has written, by its next owner, and changes the structures back.
    static void goOn(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            MemorySegment added = arena.names().allocate("new", JAVA_LONG, 2);
            assertThat(added.mismatch(MemorySegment.ofArray(new long[2]))).isEqualTo(-1);
            added.fill((byte) 'n');
            GrowableSegment growing = arena.names().growable("growing", LONGS, 1_000);
            assertThat(growing.grow(1_000 * 8L).getAtIndex(JAVA_LONG, COUNT - 1)).isEqualTo(7);
            assertThat(arena.structures().table("table", Row.class).append(Row.of(COUNT))).isEqualTo(COUNT);
            ImageLongMap longMap = arena.structures().longMap("long map");
            ImageLongTree longTree = arena.structures().longTree("long tree");
            ImageTree<String, Row> tree = arena.structures().tree("tree", String.class, Row.class);
            for (int i = COUNT; i < 10 * COUNT; i++) {
                longMap.put(i, i);
                longTree.put(i, i);
                tree.put("key " + i, Row.of(i));
            }
            for (int i = COUNT; i < 10 * COUNT; i++) {
                longMap.remove(i);
                longTree.remove(i);
                tree.remove("key " + i);
            }
            assertEntries(longMap, longTree, tree);
        }
    }

    /// Writes the files of a zip file, for their owner alone.
    static void unzip(String name, Path directory) throws IOException {
        try (InputStream resource = Objects.requireNonNull(ReleasedImages.class.getResourceAsStream(name), name);
                ZipInputStream zip = new ZipInputStream(resource)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                Files.copy(zip, file);
                TestFileSystem.forOwnerAlone(file);
            }
        }
    }
}
