package dev.arenakit.mapped;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.internal.arena.AllocationName;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests names and types of allocations: how they are found, and what an arena keeps of them.
class ImageNamesTest extends InDirectory {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(int.class))
            .add("y", ValueType.of(int.class))
            .build();
    private static final Path MEMORY = Path.of("dir", "memory");

    private InfiniteArena build() {
        return InfiniteArena.builder(base).chunked(1 << 20).build();
    }

    @Test
    void get_ofAMissingName_namesItAndSomeOfThoseThereAre() {
        try (InfiniteArena arena = build()) {
            assertThatThrownBy(() -> arena.names().get("points")).isInstanceOf(NoSuchElementException.class)
                    .hasMessage("No live allocation has the name: name=points, names=[]; "
                            + "pass one of these, or allocate it first");
            for (int i = 9; i > 0; i--) {
                arena.names().allocate("points" + i, POINT, 1);
            }
            arena.names().free("points2");
            assertThatThrownBy(() -> arena.names().get("points", POINT)).isInstanceOf(NoSuchElementException.class)
                    .hasMessage("No live allocation has the name: name=points, "
                            + "names=[points1, points3, points4, points5, points6] and 3 more; "
                            + "pass one of these, or allocate it first");
            assertThatThrownBy(() -> arena.names().get("points2")).isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void free_ofUniqueNames_keepsNoneOfThemInTheHeap() throws Exception {
        try (InfiniteArena arena = build()) {
            List<WeakReference<String>> names = allocateAndFree(arena);
            for (int i = 0; i < 100 && names.stream().anyMatch(name -> name.get() != null); i++) {
                System.gc();
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(names).allMatch(name -> name.get() == null);
            assertThat(arena.names().get("kept").byteSize()).isEqualTo(8);
        }
    }

    private static List<WeakReference<String>> allocateAndFree(InfiniteArena arena) {
        arena.names().allocate("kept", POINT, 1);
        List<WeakReference<String>> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String name = "name-" + i;
            arena.names().allocate(name, POINT, 1);
            arena.names().free(name);
            names.add(new WeakReference<>(name));
        }
        return names;
    }

    @Test
    void problems_twoLiveAllocationsOfAName_areReported() throws IOException {
        try (InfiniteArena arena = build()) {
            for (int i = 0; i < 2_000; i++) {
                arena.names().allocate("name-" + i, POINT, 1);
            }
            arena.names().free("name-1500");
            arena.names().allocate("name-1500", POINT, 1);
        }
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
        reviveFreed();
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).singleElement().satisfies(problem -> {
                assertThat(problem.description()).isEqualTo("Name is used twice");
                assertThat(problem.allocation()).hasValueSatisfying(
                        allocation -> assertThat(allocation.label()).isEqualTo("name-1500"));
            });
        }
    }

    /// Marks the freed allocations as live, as a machine leaves them that fails after a later page was written.
    private void reviveFreed() throws IOException {
        int revived = 0;
        try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base));
                FileChannel catalog = FileChannel.open(ImageFiles.catalog(base), StandardOpenOption.WRITE)) {
            CatalogScan scan = CatalogScan.of(reader);
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                if (entry instanceof CatalogEntry.Allocated allocated
                        && allocated.state() == CatalogFormat.STATE_ENDED) {
                    ByteBuffer live = ByteBuffer.allocate(Integer.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(0, CatalogFormat.STATE_LIVE);
                    catalog.write(live, allocated.line() * CatalogFormat.LINE + CatalogFormat.STATE);
                    revived++;
                }
            }
        }
        assertThat(revived).isEqualTo(1);
    }

    /// Characters are checked in groups, so that the result must not depend on their positions.
    @Test
    void check_aCharacterAtEachPosition_decidesAlone() {
        for (int length = 1; length < 20; length++) {
            for (int at = 0; at < length; at++) {
                for (char character = 0; character < 0x100; character++) {
                    String name = "a".repeat(at) + character + "~".repeat(length - at - 1);
                    boolean isRefused = Character.isISOControl(character) || (at == 0 && character == '#');
                    assertThat(isRefused(name)).as(name).isEqualTo(isRefused);
                }
                assertThat(isRefused("a".repeat(at) + "\ud800" + " ".repeat(length - at - 1))).isTrue();
                assertThat(isRefused("?".repeat(at) + "\ud83d\ude00" + " ".repeat(length - at - 1))).isFalse();
            }
        }
    }

    private static boolean isRefused(String name) {
        try {
            assertThat(AllocationName.check(name)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
            return false;
        } catch (IllegalArgumentException _) {
            return true;
        }
    }

    @Test
    void baseOf_fileOfAnImage_isItsBase() {
        for (Path base : List.of(MEMORY, Path.of("memory"), Path.of("/memory"), Path.of("memory-0"),
                Path.of("memory.catalog"), Path.of("a\nb"), Path.of("-"))) {
            for (Path file : List.of(ImageFiles.catalog(base), ImageFiles.lock(base), ImageFiles.data(base, 0),
                    ImageFiles.data(base, Integer.MAX_VALUE))) {
                assertThat(ImageFiles.baseOf(file)).as(file.toString()).contains(base);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "memory", "memory-", "memory-01", "memory--", "memory-1x", "-1", ".catalog", ".lock",
                    "memory.catalog.bak", "memory-1000000000000000000", "memory.CATALOG"})
    void baseOf_otherName_isEmpty(String name) {
        assertThat(ImageFiles.baseOf(Path.of(name))).isEmpty();
        assertThat(ImageFiles.numberOf(Path.of(name))).isEmpty();
    }

    @Test
    void numberOf_dataFile_isItsNumber() {
        assertThat(ImageFiles.numberOf(ImageFiles.data(MEMORY, 0))).hasValue(0);
        assertThat(ImageFiles.numberOf(ImageFiles.data(MEMORY, 999_999_999_999_999_999L)))
                .hasValue(999_999_999_999_999_999L);
        assertThat(ImageFiles.numberOf(ImageFiles.catalog(MEMORY))).isEmpty();
        assertThat(ImageFiles.numberOf(ImageFiles.lock(MEMORY))).isEmpty();
    }
}
