package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.files.PageSize;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests structures in small address spaces, and alignments above the page size.
class AddressSpaceTest extends InDirectory {
    private static final RecordMapper<Row> ROWS = RecordMapper.of(Row.class);
    private static final int COUNT = 1_000;
    private static final long LARGEST = 1L << 38;
    private static final Path SHELL = Path.of("/bin/sh");

    record Row(long number) {}

    /// Reserves addresses until no free range is larger than a size: some address spaces are larger than any allocation.
    ///
    /// @param arena the lifetime of the reservation
    static void leaveAtMost(long byteSize, Arena arena) {
        while (AddressRange.largestByteSize() > byteSize) {
            AddressRange.reserve(byteSize, 1).segment(byteSize, arena);
        }
    }

    @Test
    @Tag("full") // Each attempt to get too many addresses takes a tenth of a second.
    void structures_addressesAreLimited_reserveLess() throws IOException {
        checkLimited(ChildJvm.granted());
    }

    @Test
    @Tag("full")
    void structures_addressesAreLimitedAndNativeAccessDenied_reserveLess() throws IOException {
        checkLimited(ChildJvm.denied());
    }

    /// The address space has 16 GiB. The arena learns that by attempts, and each takes a tenth of a second.
    private void checkLimited(ChildJvm java) throws IOException {
        assumeTrue(Files.isExecutable(SHELL), "needs a shell");
        using(InfiniteArena.builder(Limited.chunked(base)).chunked().build(),
                arena -> arena.names().allocate("value", JAVA_LONG, 1).set(JAVA_LONG, 0, 42));
        ProcessBuilder child = java.command(Limited.class, base.toString());
        List<String> command = new ArrayList<>(
                List.of(SHELL.toString(), "-c", "ulimit -v 16777216 && exec \"$@\"", "sh"));
        command.addAll(child.command());
        String output = ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true));
        assertThat(output).contains("Address space is exhausted", "InfiniteArenaBuilder.maxStructureByteSize");
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            checkStructures(arena);
            GrowableSegment rows = arena.names().growable("rows 0", ROWS.type(), LARGEST / ROWS.byteSize());
            assertThat(rows.maxByteSize()).isEqualTo(LARGEST);
        }
    }

    private static void checkStructures(InfiniteArena arena) {
        for (int i = 0; i < 2; i++) {
            assertThat(arena.structures().longTree("tree " + i).get(COUNT - 1, -1)).isEqualTo(COUNT - 1);
            assertThat(arena.structures().longMap("map " + i).get(COUNT - 1, -1)).isEqualTo(COUNT - 1);
            assertThat(arena.structures().table("rows " + i, Row.class).size()).isEqualTo(COUNT);
        }
    }

    /// Uses six structures, twice.
    static final class Limited {
        private Limited() {}

        static Path chunked(Path base) {
            return base.resolveSibling("chunked");
        }

        public static void main(String[] arguments) {
            Path base = Path.of(arguments[0]);
            try (InfiniteArena arena = InfiniteArena.builder(chunked(base)).reopen()) {
                assertThat(arena.names().get("value").get(JAVA_LONG, 0)).isEqualTo(42);
                assertThat(arena.allocate(JAVA_LONG).get(JAVA_LONG, 0)).isZero();
            }
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                for (int i = 0; i < 2; i++) {
                    for (int row = 0; row < COUNT; row++) {
                        arena.structures().longTree("tree " + i).put(row, row);
                        arena.structures().longMap("map " + i).put(row, row);
                        arena.structures().table("rows " + i, Row.class).append(new Row(row));
                    }
                }
                checkStructures(arena);
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                checkStructures(arena);
                arena.structures().table("large", ROWS, 1L << 36);
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void maxStructureByteSize_ofAnOwner_limitsItsStructuresAlone() {
        using(InfiniteArena.builder(base).maxStructureByteSize(1 << 20).build(), arena -> {
            GrowableTable<Row> rows = arena.structures().table("rows", Row.class);
            for (int i = 0; i < (1 << 20) / ROWS.byteSize(); i++) {
                rows.append(new Row(i));
            }
            assertThatThrownBy(() -> rows.append(new Row(0))).isInstanceOf(CapacityExceededException.class)
                    .hasMessageContaining("InfiniteArenaBuilder.maxStructureByteSize");
        });
        using(InfiniteArena.builder(base).reopen(), arena -> arena.structures()
                .table("rows", Row.class)
                .append(new Row(1)));
        try (InfiniteArena arena = InfiniteArena.builder(base).maxStructureByteSize(1).reopen()) {
            GrowableTable<Row> rows = arena.structures().table("rows", Row.class);
            assertThat(rows.get((1 << 20) / ROWS.byteSize())).isEqualTo(new Row(1));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, Sizes.ADDRESSABLE + 1})
    void maxStructureByteSize_outOfRange_isRefused(long byteSize) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InfiniteArena.builder(base).maxStructureByteSize(byteSize))
                .withMessageContaining("maxByteSize=" + byteSize);
    }

    /// A machine with pages of 1 MiB has written the image.
    @Test
    void get_alignmentAboveThePageSize_isKept() throws IOException {
        TestFileSystem.assumeHoles(directory);
        leaveAligned();
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            checkAligned(arena.names().get("aligned"));
        }
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            checkAligned(image.segment(image.find("aligned").orElseThrow(), arena));
        }
    }

    private static void checkAligned(MemorySegment segment) {
        assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(42);
        assertThat(segment.byteSize()).isEqualTo(JAVA_LONG.byteSize());
        assertThat(segment.address() % (1 << 20)).isZero();
    }

    private void leaveAligned() throws IOException {
        using(InfiniteArena.builder(base).build(),
                arena -> arena.names().allocate("aligned", JAVA_LONG, 1).set(JAVA_LONG, 0, 42));
        TestCatalog.align(base, "aligned", 1 << 20);
    }

    @Test
    @Tag("full")
    void get_alignmentAboveThePageSizeAndNativeAccessDenied_isRefusedWithBothNumbers() throws IOException {
        leaveAligned();
        assertThat(ChildJvm.run(ChildJvm.denied().command(Reader.class, base.toString())).lines()).hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .matches("42|.*Alignment of an allocation cannot be kept: .*byteAlignment=1048576, "
                                + "pageByteSize=" + PageSize.BYTES + ".*ArenaImage.source.*"));
    }

    /// Reads the allocation, unless it is refused. Its address can have the alignment by chance.
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            Path base = Path.of(arguments[0]);
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                System.out.println(arena.names().get("aligned").get(JAVA_LONG, 0));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                System.out.println(
                        image.segment(image.find("aligned").orElseThrow(), arena).get(JAVA_LONG, 0));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
