package dev.arenakit.mapped;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests the numbers of elements that are recorded with memory that grows.
class ElementCountTest extends InDirectory {
    private static final StructType LONGS = NamedAllocations.structOf(JAVA_LONG);
    private static final long BOOT = 42;
    private static final long LATER_BOOT = 43;
    private static final long NO_BOOT = 0;

    private InfiniteArena open(long boot) {
        return InfiniteArena.builder(base).boot(boot).openOrCreate();
    }

    /// Stores elements, forces the first ones, and dies.
    private void write(long boot, long forced, long stored) throws IOException {
        InfiniteArena arena = open(boot);
        GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
        longs.grow(800);
        longs.elementCount(forced);
        arena.force();
        longs.elementCount(stored);
        KilledOwner.kill(arena);
    }

    private long read(long boot) throws IOException {
        return read(ArenaImage.open(base, boot), image -> image.find("longs").orElseThrow().elementCount().orElse(-1));
    }

    private List<ImageIntegrity.Problem> problems(long boot) throws IOException {
        return read(ArenaImage.open(base, boot), image -> image.integrity().problems().toList());
    }

    @Test
    void elementCount_inTheSameBoot_isTheLatest() throws IOException {
        write(BOOT, 5, 9);
        assertThat(read(BOOT)).isEqualTo(9);
        assertThat(problems(BOOT)).isEmpty();
        try (InfiniteArena arena = open(BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
            assertThat(longs.elementCount()).isEqualTo(9);
            longs.elementCount(8);
            assertThat(read(BOOT)).isEqualTo(8);
        }
    }

    @Test
    void elementCount_afterAnotherBoot_isTheForcedOne() throws IOException {
        write(BOOT, 5, 9);
        assertThat(read(LATER_BOOT)).isEqualTo(5);
        assertThat(problems(LATER_BOOT)).singleElement()
                .matches(problem -> !problem.isNote())
                .extracting(ImageIntegrity.Problem::description)
                .asString()
                .contains("stored=9, forced=5");
        try (InfiniteArena arena = open(LATER_BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
            assertThat(longs.elementCount()).isEqualTo(5);
            assertThat(read(LATER_BOOT)).as("the count of the earlier boot is not trusted").isEqualTo(5);
            longs.elementCount(7);
        }
        assertThat(read(LATER_BOOT)).isEqualTo(7);
        assertThat(read(BOOT)).as("forced when the arena was closed").isEqualTo(7);
        assertThat(problems(LATER_BOOT)).isEmpty();
    }

    @Test
    void elementCount_withoutABootId_isTheForcedOne() throws IOException {
        write(NO_BOOT, 5, 9);
        assertThat(read(NO_BOOT)).isEqualTo(5);
        try (InfiniteArena arena = open(NO_BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
            assertThat(longs.elementCount()).isEqualTo(5);
            longs.elementCount(6);
            assertThat(longs.elementCount()).isEqualTo(6);
        }
    }

    @Test
    void elementCount_neverStored_isZeroAndUnknownToReaders() throws IOException {
        try (InfiniteArena arena = open(BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 10);
            longs.grow(80);
            assertThat(longs.elementCount()).isZero();
            arena.force();
            assertThat(read(BOOT)).isEqualTo(-1);
            longs.elementCount(0);
            assertThat(read(BOOT)).isZero();
            assertThat(read(LATER_BOOT)).isEqualTo(-1);
            arena.force();
            assertThat(read(LATER_BOOT)).isZero();
        }
        assertThat(problems(LATER_BOOT)).isEmpty();
    }

    @Test
    void elementCount_wrong_isRefused() {
        GrowableSegment longs;
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            longs = arena.names().growable("longs", LONGS, 1_000);
            longs.grow(87);
            assertThat(longs.elementCount()).isZero();
            longs.elementCount(10);
            assertThatThrownBy(() -> longs.elementCount(-1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("count=-1");
            assertThatThrownBy(() -> longs.elementCount(11)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("count=11, byteSize=87, largest=10");
            assertThat(Threads.thrownBy(() -> longs.elementCount(3))).isInstanceOf(WrongThreadException.class);
            assertThat(longs.elementCount()).isEqualTo(10);
            GrowableSegment bytes = arena.growable(1_000);
            bytes.grow(100);
            bytes.elementCount(100);
            assertThatThrownBy(() -> bytes.elementCount(101)).isInstanceOf(IllegalArgumentException.class);
            arena.names().free("longs");
            assertThatThrownBy(() -> longs.elementCount(3)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed");
        }
        assertThatThrownBy(longs::elementCount).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> longs.elementCount(1)).isInstanceOf(IllegalStateException.class);
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("off")).catalog(CatalogLevel.OFF).build()) {
            GrowableSegment bytes = arena.growable(1_000);
            assertThatThrownBy(bytes::elementCount).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no catalog");
        }
    }

    /// The damaged bytes are in the kind, the count, or the forced count.
    @ParameterizedTest
    @ValueSource(ints = {8, 16, 24})
    void elementCount_damaged_isReportedAndCanBeMended(int field) throws IOException {
        write(BOOT, 5, 9);
        damage(field);
        long expected = field == 8 ? -1 : field == 16 ? 5 : 9;
        assertThat(read(BOOT)).isEqualTo(expected);
        assertThat(problems(BOOT)).anyMatch(problem -> !problem.isNote());

        Path mended = directory.resolve("mended");
        ImageFiles.repair(base, mended);
        try (ArenaImage image = ArenaImage.open(mended, BOOT)) {
            assertThat(image.integrity()
                    .problems()
                    .filter(problem -> !problem.isNote())
                    .map(ImageIntegrity.Problem::description))
                    .hasSize(field == 16 ? 0 : 1)
                    .allMatch(problem -> problem.startsWith("Number of elements is unknown"));
            assertThat(image.find("longs").orElseThrow().elementCount())
                    .isEqualTo(field == 16 ? OptionalLong.of(expected) : OptionalLong.empty());
        }

        try (InfiniteArena arena = open(BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
            if (field == 8) {
                assertThatThrownBy(longs::elementCount).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Number of elements is damaged");
            } else {
                assertThat(longs.elementCount()).isEqualTo(expected);
            }
            longs.elementCount(6);
            assertThat(longs.elementCount()).isEqualTo(6);
            arena.force();
        }
        assertThat(read(BOOT)).isEqualTo(6);
        assertThat(problems(BOOT)).isEmpty();
    }

    @Test
    void elementCount_ofARepairedImage_isAProblemUntilItIsStored() throws IOException {
        write(BOOT, 5, 9);
        damage(8);
        Path mended = directory.resolve("mended");
        assertThat(ImageFiles.repair(base, mended)).anySatisfy(repair -> assertThat(repair.description())
                .startsWith("Number of elements is unknown: name=longs;")
                .contains("elementCount"));
        try (InfiniteArena arena = InfiniteArena.builder(mended).boot(BOOT).reopen();
                ArenaImage image = ArenaImage.open(mended, BOOT)) {
            assertThat(image.integrity().problems().map(problem -> problem.allocation().orElseThrow().label()))
                    .containsExactly("longs");
            arena.names().growable("longs", LONGS, 1).elementCount(9);
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.find("longs").orElseThrow().elementCount()).hasValue(9);
        }
    }

    @Test
    void repair_numberThatWasNeverForcedIsDamaged_isUnknown() throws IOException {
        InfiniteArena arena = open(BOOT);
        GrowableSegment longs = arena.names().growable("longs", LONGS, 1_000);
        longs.grow(800);
        longs.elementCount(9);
        KilledOwner.kill(arena);
        damage(16);
        assertThat(ImageFiles.repair(base, directory.resolve("mended"))).hasSize(2)
                .allMatch(ImageFiles.Repair::isLoss)
                .last()
                .extracting(ImageFiles.Repair::description)
                .asString()
                .startsWith("Number of elements is unknown: name=longs;");
    }

    /// After the machine has failed, only the forced elements are known to be in the files.
    @Test
    void repair_theForcedNumberIsDamaged_trustsTheLatestOfThisBootAlone() throws IOException {
        write(BOOT, 5, 9);
        damage(24);
        assertThat(ImageFiles.repair(base, directory.resolve("earlier"))).hasSize(2)
                .allMatch(ImageFiles.Repair::isLoss);
        using(ArenaImage.open(directory.resolve("earlier")),
                image -> assertThat(image.find("longs").orElseThrow().elementCount()).isEmpty());
        ImageFiles.delete(base);

        assumeTrue(BootId.current() != BootId.UNKNOWN, "needs the id of the boot");
        write(BootId.current(), 5, 9);
        damage(24);
        assertThat(ImageFiles.repair(base, directory.resolve("present"))).singleElement()
                .matches(repair -> !repair.isLoss());
        using(ArenaImage.open(directory.resolve("present")),
                image -> assertThat(image.find("longs").orElseThrow().elementCount()).hasValue(9));
    }

    private void damage(int field) throws IOException {
        long line;
        line = read(ArenaImage.open(base), image -> image.find("longs").orElseThrow().number() * 8 - 64);
        try (RandomAccessFile catalog = new RandomAccessFile(ImageFiles.catalog(base).toFile(), "rw")) {
            catalog.seek(line + field);
            int before = catalog.read();
            catalog.seek(line + field);
            catalog.write(before ^ 0x40);
        }
    }

    @Test
    void elementCount_beyondTheSize_isAProblem() throws IOException {
        write(BOOT, 100, 100);
        using(open(BOOT), arena -> arena.names()
                .growable("bytes",
                        NamedAllocations.structOf(java.lang.foreign.ValueLayout.JAVA_BYTE), 8));
        long line;
        line = read(ArenaImage.open(base), image -> image.find("bytes").orElseThrow().number() * 8 - 64);
        try (RandomAccessFile catalog = new RandomAccessFile(ImageFiles.catalog(base).toFile(), "rw")) {
            for (int field = 16; field <= 24; field += 8) {
                catalog.seek(line + field);
                catalog.writeLong(Long.reverseBytes(
                        dev.arenakit.mapped.internal.catalog.CatalogFormat.checkedValue(line + field, 9)));
            }
        }
        assertThat(problems(BOOT)).singleElement()
                .extracting(ImageIntegrity.Problem::description)
                .asString()
                .contains("Number of elements exceeds the allocation: elementCount=9, byteSize=0");
    }

    /// All elements that a count of the catalog on the device counts were written before it.
    @Test
    void force_whileElementsAreAdded_countsNoElementThatWasNotWritten() throws Exception {
        try (InfiniteArena arena = open(BOOT)) {
            GrowableSegment longs = arena.names().growable("longs", LONGS, 1L << 20);
            MemorySegment segment = longs.grow(8L << 20);
            longs.elementCount(0);
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (long i = 0; i < 1 << 20; i++) {
                    segment.setAtIndex(JAVA_LONG, i, i + 1);
                    longs.elementCount(i + 1);
                }
            });
            long before;
            do {
                before = longs.elementCount();
                arena.force();
                // A later boot reads the forced count.
                assertThat(read(LATER_BOOT)).isGreaterThanOrEqualTo(before);
                assertThat(read(LATER_BOOT)).isLessThanOrEqualTo(longs.elementCount());
            } while (!writer.isDone());
            writer.get();
            arena.force();
            assertThat(read(LATER_BOOT)).isEqualTo(1 << 20);
        }
    }
}
