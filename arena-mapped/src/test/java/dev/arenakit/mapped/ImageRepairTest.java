package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the repair of damaged images.
class ImageRepairTest extends InDirectory {
    private static final long CHUNK = 1 << 16;

    private final Path to = directory.resolve("copy");

    /// Makes an image with allocations in runs and with names, two of them in files of their own. The bytes of an
    /// allocation are its size, and a large one has them at its start.
    private List<Allocation> makeImage() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(CHUNK).build()) {
            for (int i = 1; i <= 20; i++) {
                arena.allocate(i, 1).fill((byte) i);
                arena.names().allocate("name-" + i, JAVA_BYTE, 30 + i).fill((byte) (30 + i));
            }
            arena.names().free("name-5");
            arena.names().allocate("large", JAVA_LONG, CHUNK).set(JAVA_BYTE, 0, (byte) (CHUNK * 8));
            arena.names().allocate("second", JAVA_LONG, CHUNK).set(JAVA_BYTE, 0, (byte) (CHUNK * 8));
        }
        return allocations(base);
    }

    @Test
    @Tag("full")
    void repair_endedByTheConsumer_leavesNoFile() throws IOException {
        makeImage();
        int calls = 0;
        for (boolean isEnded = true; isEnded; calls++) {
            long[] left = {calls};
            try {
                ImageFiles.repair(base, to, _ -> {
                    if (left[0]-- == 0) {
                        throw new CancellationException();
                    }
                });
                isEnded = false;
            } catch (CancellationException _) {
                try (Stream<Path> files = Files.list(directory)) {
                    assertThat(files).as("calls=" + calls).noneMatch(file -> file.toString().startsWith(to.toString()));
                }
            }
        }
        assertThat(calls).as("each entry is read three times").isGreaterThan(120);
        assertThat(allocations(to)).isEqualTo(allocations(base));
    }

    private static List<Allocation> allocations(Path base) throws IOException {
        return read(ArenaImage.open(base), image -> image.allocations().toList());
    }

    /// Repairs the image, and checks the copy.
    private List<ImageFiles.Repair> repair() throws IOException {
        Map<Path, byte[]> before = contents();
        List<ImageFiles.Repair> repairs = ImageFiles.repair(base, to);
        before.forEach((file, bytes) -> assertThat(file).hasBinaryContent(bytes));
        try (ArenaImage image = ArenaImage.open(to); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems()).as(repairs.toString()).isEmpty();
            for (Allocation allocation : image.allocations().filter(Allocation::isLive).toList()) {
                assertThat(image.segment(allocation, arena).get(JAVA_BYTE, 0)).as(allocation.toString())
                        .isEqualTo((byte) allocation.byteSize());
            }
        }
        return repairs;
    }

    private Map<Path, byte[]> contents() throws IOException {
        Map<Path, byte[]> contents = new TreeMap<>();
        for (Path file : TestFileSystem.list(directory)) {
            contents.put(file, Files.readAllBytes(file));
        }
        return contents;
    }

    private void overwrite(long at, int... bytes) throws IOException {
        try (FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.WRITE)) {
            for (int i = 0; i < bytes.length; i++) {
                catalog.write(ByteBuffer.wrap(new byte[]{(byte) bytes[i]}), at + i);
            }
        }
    }

    private static Allocation named(List<Allocation> all, String name) {
        return all.stream()
                .filter(allocation -> allocation.name().filter(name::equals).isPresent())
                .findFirst()
                .orElseThrow();
    }

    private static List<Allocation> inRuns(List<Allocation> all) {
        return all.stream().filter(allocation -> allocation.name().isEmpty()).toList();
    }

    private long firstLine(int kind) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(ImageFiles.catalog(base)))
                .order(ByteOrder.LITTLE_ENDIAN);
        int line = 2;
        while (bytes.getInt(line * 64) != line || bytes.get(line * 64 + 8) != kind) {
            line++;
        }
        return line * 64L;
    }

    @Test
    void repair_soundImage_copiesAllAndMendsNothing() throws IOException {
        List<Allocation> before = makeImage();

        assertThat(repair()).isEmpty();
        assertThat(allocations(to)).isEqualTo(before);
        assertThat(to.resolveSibling("copy.catalog")).exists();
    }

    @Test
    void repair_damageOfEachKind_keepsWhatIsValid() throws IOException {
        List<Allocation> before = makeImage();
        Allocation slot = inRuns(before).get(14);
        List<Allocation> lost = new ArrayList<>(inRuns(before).subList(14, 20));
        lost.add(named(before, "name-3"));
        overwrite(slot.number() * 8, 0xff, 0xff);
        overwrite(named(before, "name-3").number() * 8 + 20, 0xff, 0xff);
        overwrite(named(before, "name-4").number() * 8 + 4, 0x77);
        overwrite(firstLine(CatalogFormat.KIND_OWNER) + 30, 0x77);
        overwrite(20, 0x77);
        overwrite(CatalogFormat.MARK_AT, 0x80, 1, 0, 0, 0, 0);
        TestFileSystem.truncate(ImageFiles.data(base, 2), 4096);
        Files.delete(ImageFiles.data(base, 1));

        List<ImageFiles.Repair> repairs = repair();

        assertThat(repairs).filteredOn(ImageFiles.Repair::isLoss)
                .extracting(ImageFiles.Repair::description)
                .anyMatch(text -> text.startsWith("Records of a run are damaged"))
                .anyMatch(text -> text.startsWith("Records are damaged"))
                .anyMatch(text -> text.startsWith("Data file is truncated"))
                .anyMatch(text -> text.startsWith("Data file is missing"));
        assertThat(repairs).filteredOn(repair -> !repair.isLoss())
                .extracting(ImageFiles.Repair::description)
                .anyMatch(text -> text.startsWith("High-water mark"))
                .anyMatch(text -> text.startsWith("State was damaged"))
                .anyMatch(text -> text.startsWith("Header was damaged") && text.contains("chunkByteSize=" + CHUNK))
                .anyMatch(text -> text.startsWith("No owner was recorded"));
        List<Allocation> after = allocations(to);
        assertThat(after).usingRecursiveFieldByFieldElementComparatorIgnoringFields("isLive")
                .containsExactlyElementsOf(before.stream().filter(one -> !lost.contains(one)).toList());
        assertThat(named(after, "large").isLive()).isFalse();
        assertThat(named(after, "second").isLive()).isTrue();
        assertThat(named(after, "name-4").isLive()).isTrue();
        assertThat(named(after, "name-5").isLive()).isFalse();
    }

    @Test
    void repair_thenReopen_findsTheNamesAndAllocates() throws IOException {
        List<Allocation> before = makeImage();
        overwrite(inRuns(before).get(3).number() * 8, 0xff);
        overwrite(named(before, "name-3").number() * 8 + 20, 0xff);
        repair();

        try (InfiniteArena arena = InfiniteArena.builder(to).reopen()) {
            assertThat(arena.names().find("name-3")).isEmpty();
            assertThat(arena.names().find("name-4").orElseThrow().get(JAVA_BYTE, 33)).isEqualTo((byte) 34);
            arena.names().allocate("name-3", JAVA_BYTE, 33).fill((byte) 33);
            arena.allocate(20, 8).fill((byte) 20);
        }
        using(ArenaImage.open(to), image -> assertThat(image.integrity().problems()).isEmpty());
    }

    @Test
    void repair_nameOfTwoAllocations_endsTheEarlierOne() throws IOException {
        List<Allocation> before;
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("name", JAVA_BYTE, 1).fill((byte) 1);
            arena.names().free("name");
            arena.names().allocate("name", JAVA_BYTE, 2).fill((byte) 2);
        }
        before = allocations(base);
        overwrite(before.getFirst().number() * 8 + 4, CatalogFormat.STATE_LIVE);

        assertThat(repair()).singleElement().satisfies(repair -> {
            assertThat(repair.description()).startsWith("Name is used twice").contains("name=name");
            assertThat(repair.isLoss()).isFalse();
        });
        assertThat(allocations(to)).isEqualTo(before);
    }

    @Test
    void repair_recordOfADataFileDamaged_recordsItAgain() throws IOException {
        List<Allocation> before = makeImage();
        overwrite(firstLine(CatalogFormat.KIND_FILE) + 24, 0x77);

        assertThat(repair()).extracting(ImageFiles.Repair::description)
                .satisfiesExactly(text -> assertThat(text).startsWith("Records are damaged"),
                        text -> assertThat(text).startsWith("Data file was not recorded"));
        assertThat(allocations(to)).isEqualTo(before);
    }

    @Test
    void repair_stateOfARunDamaged_keepsItsAllocations() throws IOException {
        List<Allocation> before = makeImage();
        overwrite(firstLine(CatalogFormat.KIND_RUN) + 4, 0xff, 0xff, 0, 0);

        assertThat(repair()).singleElement()
                .matches(repair -> !repair.isLoss())
                .extracting(ImageFiles.Repair::description)
                .asString()
                .startsWith("State of a run was damaged");
        assertThat(allocations(to)).isEqualTo(before);
    }

    @Test
    void repair_fileOfTheCopyExists_isRefusedAndStays() throws IOException {
        makeImage();
        Path existing = Files.writeString(ImageFiles.data(to, 1), "other");

        assertThatThrownBy(() -> ImageFiles.repair(base, to)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(existing).hasContent("other");
        assertThat(ImageFiles.catalog(to)).doesNotExist();
        assertThat(ImageFiles.data(to, 0)).doesNotExist();
        assertThatThrownBy(() -> ImageFiles.repair(base, base)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(ImageFiles.catalog(base)).exists();
    }

    @Test
    void repair_nothingReadable_isRefused() throws IOException {
        Files.writeString(ImageFiles.catalog(base), "garbage".repeat(100));

        assertThatThrownBy(() -> ImageFiles.repair(base, to)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Nothing of the catalog can be read: ");
        assertThat(ImageFiles.catalog(to)).doesNotExist();
    }

    @Test
    void repair_imageOfALaterVersion_isRefused() throws IOException {
        makeImage();
        overwrite(CatalogFormat.VERSION_AT, 4);

        assertThatThrownBy(() -> ImageFiles.repair(base, to)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Catalog of another version");
    }

    @Test
    void repair_imageWithAnOwner_isRefused() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(8);

            assertThatThrownBy(() -> ImageFiles.repair(base, to)).isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("A process owns the image");
        }
    }
}
