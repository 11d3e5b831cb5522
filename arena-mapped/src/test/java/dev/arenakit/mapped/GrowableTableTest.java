package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.TableRow.ROWS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the tables of the owner of an image.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class GrowableTableTest extends InDirectory {
    GrowableTableTest(TestFileSystem place) {
        super(place);
    }

    /// A record without components.
    public record Empty() {}

    /// A record of another type.
    public record Other(long number) {}

    private InfiniteArena open() {
        return TestFileSystem.smallStructures(base).openOrCreate();
    }

    @Test
    void append_reopened_continues() throws IOException {
        for (int run = 0; run < 3; run++) {
            try (InfiniteArena arena = open()) {
                GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
                assertThat(table.size()).isEqualTo(run * 1_000L);
                assertThat(table.isEmpty()).isEqualTo(run == 0);
                for (long number = run * 1_000L; number < (run + 1) * 1_000L; number++) {
                    assertThat(table.append(TableRow.of(number))).isEqualTo(number);
                    assertThat(table.get(number)).isEqualTo(TableRow.of(number));
                }
                for (long number = 0; number < table.size(); number++) {
                    assertThat(table.get(number)).isEqualTo(TableRow.of(number));
                }
                assertThat(arena.names().growable("rows", ROWS.type(), 1).elementCount()).isEqualTo(table.size());
            }
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.integrity().problems()).isEmpty();
            assertThat(image.find("rows").orElseThrow().elementCount()).hasValue(3_000);
        }
    }

    @Test
    void operations_random_giveTheRowsOfAList() throws IOException {
        compareWithList(1, 5_000);
    }

    @Test
    @Tag("slow")
    void operations_randomAndMany_giveTheRowsOfAList() throws IOException {
        for (int seed = 2; seed < 10; seed++) {
            compareWithList(seed, 500_000);
            ImageFiles.delete(base);
        }
    }

    private void compareWithList(int seed, int steps) throws IOException {
        Random random = new Random(seed);
        List<TableRow> model = new ArrayList<>();
        int done = 0;
        while (done < steps) {
            InfiniteArenaBuilder builder = InfiniteArena.builder(base);
            if (random.nextBoolean()) {
                builder.confined();
            }
            if (random.nextBoolean() && AddressRange.isKnownFor(base)) {
                builder.reserved();
            }
            try (InfiniteArena arena = builder.openOrCreate()) {
                GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
                GrowableTable<TableRow> other = arena.structures().table("rows", ROWS, 10);
                for (int i = random.nextInt(steps / 5); i >= 0; i--, done++) {
                    change(random.nextBoolean() ? table : other, model, random);
                }
                assertThat(table.size()).isEqualTo(model.size());
                assertThat(table.stream().toList()).isEqualTo(model);
                List<TableRow> visited = new ArrayList<>();
                other.forEach(visited::add);
                assertThat(visited).isEqualTo(model);
            }
        }
    }

    private static void change(GrowableTable<TableRow> table, List<TableRow> model, Random random) {
        switch (random.nextInt(model.isEmpty() ? 6 : 10)) {
            case 0 -> {
                List<TableRow> rows = Stream.generate(() -> TableRow.random(random)).limit(random.nextInt(20)).toList();
                table.appendAll(random.nextBoolean() ? rows : rows::iterator);
                model.addAll(rows);
            }
            case 1, 2, 3, 4, 5 -> {
                TableRow row = TableRow.random(random);
                assertThat(table.append(row)).isEqualTo(model.size());
                model.add(row);
            }
            case 6, 7 -> {
                int index = random.nextInt(model.size());
                TableRow row = TableRow.random(random);
                table.set(index, row);
                model.set(index, row);
            }
            default -> {
                int index = random.nextInt(model.size());
                assertThat(table.get(index)).isEqualTo(model.get(index));
            }
        }
    }

    @Test
    void get_ofARowThatIsNotThere_throws() {
        try (InfiniteArena arena = open()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            assertThatThrownBy(() -> table.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
            table.append(TableRow.of(0));
            for (long index : new long[]{-1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> table.get(index)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> table.set(index, TableRow.of(0)))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThat(table.segment().byteSize()).isEqualTo(ROWS.byteSize());
        }
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null.
    void append_refused_changesNothing() {
        try (InfiniteArena arena = open()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", ROWS, 3);
            assertThatThrownBy(() -> table.append(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> table.append(new TableRow(1, (byte) 1, "x".repeat(14), 1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(table.size()).isZero();
            table.appendAll(List.of(TableRow.of(0), TableRow.of(1)));
            assertThatThrownBy(() -> table.appendAll(List.of(TableRow.of(2), TableRow.of(3))))
                    .isInstanceOf(CapacityExceededException.class);
            assertThat(table.size()).isEqualTo(2);
            Iterator<TableRow> more = List.of(TableRow.of(2), TableRow.of(3)).iterator();
            assertThatThrownBy(() -> table.appendAll(() -> more)).isInstanceOf(CapacityExceededException.class);
            assertThat(table.stream()).containsExactly(TableRow.of(0), TableRow.of(1), TableRow.of(2));
        }
        try (InfiniteArena arena = open()) {
            assertThat(arena.structures().table("rows", TableRow.class).size())
                    .as("opened with its smaller largest size")
                    .isEqualTo(3);
            assertThatThrownBy(() -> arena.structures().table("rows", ROWS, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot grow as far as requested");
        }
    }

    /// A quarter more does not fit into the budget, a row does.
    @Test
    void append_whenAQuarterDoesNotFit_growsByWhatIsNeeded() {
        TestFileSystem.assumeHoles(directory);
        MemoryBudget budget = MemoryBudget.root("disk", 0, 3 << 16);
        try (InfiniteArena arena = InfiniteArena.builder(base).reserved().budget(budget).build()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            long count = (3L << 16) / ROWS.byteSize();
            for (long number = 0; number < count; number++) {
                table.append(TableRow.of(number));
            }
            assertThatThrownBy(() -> table.append(TableRow.of(count))).isInstanceOf(CapacityExceededException.class);
            assertThat(table.size()).isEqualTo(count);
            assertThat(table.get(count - 1)).isEqualTo(TableRow.of(count - 1));
        }
        budget.close();
    }

    /// A process that was killed may leave a part of a row behind the last one.
    @Test
    void append_overAPartOfARow_leavesNothingOfIt() {
        try (InfiniteArena arena = open()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            table.append(TableRow.of(0));
            arena.names().growable("rows", ROWS.type(), 1).segment().asSlice(ROWS.byteSize()).fill((byte) -1);
            table.append(new TableRow(1, (byte) 1, "", 0));
            byte[] bytes = table.segment().asSlice(ROWS.byteSize()).toArray(JAVA_BYTE);
            MemorySegment expected = MemorySegment.ofArray(new long[(int) (ROWS.byteSize() / 8)]);
            ROWS.set(expected, 0, new TableRow(1, (byte) 1, "", 0));
            assertThat(bytes).isEqualTo(expected.toArray(JAVA_BYTE));
        }
    }

    @Test
    void segment_hasTheRowsOfThatTime() {
        try (InfiniteArena arena = open()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            assertThat(table.segment().byteSize()).isZero();
            LongStream.range(0, 10_000).forEach(number -> table.append(TableRow.of(number)));
            MemorySegment rows = table.segment();
            table.append(TableRow.of(10_000));
            assertThat(rows.byteSize()).isEqualTo(10_000 * ROWS.byteSize());
            assertThat(ROWS.getAtIndex(rows, 9_999)).isEqualTo(TableRow.of(9_999));
            assertThat(table.mapper()).isSameAs(ROWS);
            assertThat(table).hasToString("GrowableTable[name=rows, type=TableRow]");
        }
    }

    @Test
    void append_byManyThreads_losesNoRow() throws Exception {
        long each = 2_000;
        try (InfiniteArena arena = open()) {
            Threads.race(4, thread -> {
                GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
                for (long number = thread * each; number < (thread + 1) * each; number++) {
                    long index = table.append(TableRow.of(number));
                    assertThat(table.get(index).number()).isEqualTo(number);
                    assertThat(table.get(index / 2)).isEqualTo(TableRow.of(table.get(index / 2).number()));
                }
            });
            assertThat(arena.structures()
                    .table("rows", TableRow.class)
                    .stream()
                    .mapToLong(TableRow::number)
                    .sorted()
                    .toArray())
                    .isEqualTo(LongStream.range(0, 4 * each).toArray());
        }
    }

    @Test
    void methods_wrongState_throw() {
        GrowableTable<TableRow> table;
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            table = arena.structures().table("rows", TableRow.class);
            table.append(TableRow.of(0));
            assertThat(Threads.thrownBy(() -> table.append(TableRow.of(1)))).isInstanceOf(WrongThreadException.class);
            assertThat(Threads.thrownBy(() -> table.get(0))).isInstanceOf(WrongThreadException.class);
            assertThat(table.size()).isEqualTo(1);
            arena.names().free("rows");
            assertThatThrownBy(() -> table.append(TableRow.of(1))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed");
            assertThatThrownBy(() -> table.set(0, TableRow.of(1))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Memory was freed");
            assertThat(arena.structures().table("rows", Other.class).size()).isZero();
        }
        assertThatThrownBy(() -> table.get(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(table::size).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(table::segment).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.append(TableRow.of(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.set(0, TableRow.of(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void table_ofSomethingElse_isRefused() {
        try (InfiniteArena arena = open()) {
            arena.structures().table("rows", TableRow.class);
            arena.names().allocate("plain", ROWS.type(), 10);
            assertThatThrownBy(() -> arena.structures().table("rows", Other.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allocation is of another type");
            assertThatThrownBy(() -> arena.structures().table("plain", TableRow.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allocation was not made to grow");
            assertThatThrownBy(() -> arena.structures().table("empty", Empty.class))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.structures().table("none", ROWS, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.structures().table("#1", TableRow.class))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(arena.names().find("empty")).isEmpty();
        }
        using(InfiniteArena.builder(directory.resolve("off")).catalog(CatalogLevel.OFF).build(),
                arena -> assertThatThrownBy(() -> arena.structures().table("rows", TableRow.class))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("no catalog"));
    }

    /// The memory of the other owner is not changed.
    @Test
    void append_afterAnotherOwnerTookOver_storesNothing() throws IOException {
        try (InfiniteArena arena = open(); Arena later = Arena.ofConfined()) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            table.append(TableRow.of(0));
            CatalogWriter owner = CatalogWriter.map(base, later, CatalogLevel.FULL);
            try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                owner.takeOver(() -> ReopenedState.read(base, reader));
            }
            byte[] rows = Files.readAllBytes(ImageFiles.data(base, 0));
            for (ThrowingCallable call : List.<ThrowingCallable>of(() -> table.append(TableRow.of(1)),
                    () -> table.set(0, TableRow.of(1)), () -> table.appendAll(List.of(TableRow.of(1))))) {
                assertThatThrownBy(call).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Another owner has taken over the image");
            }
            assertThat(Files.readAllBytes(ImageFiles.data(base, 0))).isEqualTo(rows);
            owner.file().release();
        }
    }
}
