package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.arenakit.mapped.TableRow.ROWS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests tables that are opened for reading, beside a writer in another process, after a kill, and with numbers of rows
/// that are damaged or of another boot.
class GrowableTableProcessTest extends InDirectory {
    private static final long BOOT = 42;
    private static final long LATER_BOOT = 43;
    private static final int COUNT = 16;
    private static final int FORCED_COUNT = 24;
    private static final int KILLS = 500;

    private InfiniteArena open(long boot) {
        return TestFileSystem.smallStructures(base).boot(boot).openOrCreate();
    }

    private static void append(GrowableTable<TableRow> table, long end) {
        LongStream.range(table.size(), end).forEach(number -> table.append(TableRow.of(number)));
    }

    private static void check(GrowableTable<TableRow> table, long count) {
        assertThat(table.size()).isEqualTo(count);
        for (long number = 0; number < count; number++) {
            assertThat(table.get(number)).isEqualTo(TableRow.of(number));
        }
    }

    @Test
    @Tag("full")
    void table_whileTheOwnerAppends_hasTheRowsOfNow() throws IOException {
        try (InfiniteArena owner = open(BOOT);
                ArenaImage image = ArenaImage.open(base, BOOT);
                Arena arena = Arena.ofConfined()) {
            GrowableTable<TableRow> table = owner.structures().table("rows", TableRow.class);
            GrowableTable<TableRow> reader = image.structures(arena).table("rows", TableRow.class);
            assertThat(reader.isEmpty()).isTrue();
            for (long count : new long[]{1, 2, 1_000, 20_000, 50_000}) {
                append(table, count);
                assertThat(reader.get(count - 1)).as("without size()").isEqualTo(TableRow.of(count - 1));
                check(reader, count);
                assertThat(reader.segment().byteSize()).isEqualTo(count * ROWS.byteSize());
                assertThat(reader.segment().isReadOnly()).isTrue();
                assertThat(reader.stream().mapToLong(TableRow::number).max()).hasValue(count - 1);
            }
            table.set(7, TableRow.of(70));
            assertThat(reader.get(7)).isEqualTo(TableRow.of(70));
            assertThatThrownBy(() -> reader.get(50_000)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void table_openedForReading_changesNothing() throws IOException {
        using(open(BOOT), owner -> append(owner.structures().table("rows", TableRow.class), 100));
        List<ByteBuffer> before = contents();
        try (ArenaImage image = ArenaImage.open(base, BOOT); Arena arena = Arena.ofShared()) {
            GrowableTable<TableRow> reader = image.structures(arena).table("rows", ROWS);
            check(reader, 100);
            for (ThrowingCallable call : List.<ThrowingCallable>of(() -> reader.append(TableRow.of(100)),
                    () -> reader.appendAll(List.of()), () -> reader.set(0, TableRow.of(1)))) {
                assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("Table was opened for reading: name=rows");
            }
        }
        assertThat(contents().equals(before)).isTrue();
    }

    private List<ByteBuffer> contents() {
        return TestFileSystem.list(directory).stream().map(GrowableTableProcessTest::contents).toList();
    }

    private static ByteBuffer contents(Path file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void table_ofSomethingElse_isRefused() throws IOException {
        try (InfiniteArena owner = open(BOOT);
                ArenaImage image = ArenaImage.open(base, BOOT);
                Arena arena = Arena.ofConfined()) {
            owner.names().allocate("plain", ROWS.type(), 10);
            owner.names().allocate("longs", JAVA_LONG, 10);
            assertThatThrownBy(() -> image.structures(arena).table("plain", ROWS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allocation was not made to grow");
            assertThatThrownBy(() -> image.structures(arena).table("longs", ROWS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allocation is of another type");
            assertThatThrownBy(() -> image.structures(arena).table("other", ROWS))
                    .isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void methods_ofAReaderWhoseTableImageOrArenaHasEnded_throw() throws IOException {
        try (InfiniteArena owner = open(BOOT)) {
            GrowableTable<TableRow> table = owner.structures().table("rows", TableRow.class);
            append(table, 10);
            Arena arena = Arena.ofConfined();
            GrowableTable<TableRow> reader;
            reader = read(ArenaImage.open(base, BOOT), image -> image.structures(arena).table("rows", TableRow.class));
            assertThat(reader.get(9)).isEqualTo(TableRow.of(9));
            assertThatThrownBy(reader::size).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("name=rows");
            try (ArenaImage image = ArenaImage.open(base, BOOT)) {
                GrowableTable<TableRow> later = image.structures(arena).table("rows", TableRow.class);
                owner.names().free("rows");
                assertThatThrownBy(later::size).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Memory was freed");
                arena.close();
                assertThatThrownBy(later::size).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> later.get(0)).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    /// The catalog may reach the device before the size of the file.
    @Test
    void table_whoseFileIsShorterThanRecordedAfterAnotherBoot_hasTheForcedRows() throws IOException {
        InfiniteArena killed = open(BOOT);
        GrowableTable<TableRow> rows = killed.structures().table("rows", TableRow.class);
        append(rows, 10);
        killed.force();
        final long forced = Files.size(ImageFiles.data(base, 0));
        append(rows, 20_000);
        KilledOwner.kill(killed);
        truncate(forced);
        try (ArenaImage image = ArenaImage.open(base, LATER_BOOT); Arena arena = Arena.ofConfined()) {
            check(image.structures(arena).table("rows", TableRow.class), 10);
        }
        try (InfiniteArena owner = open(LATER_BOOT)) {
            GrowableTable<TableRow> table = owner.structures().table("rows", TableRow.class);
            check(table, 10);
            append(table, 30_000);
            check(table, 30_000);
        }
    }

    @Test
    void table_whoseFileLacksForcedRowsAfterAnotherBoot_isRefused() throws IOException {
        try (InfiniteArena owner = open(BOOT)) {
            append(owner.structures().table("rows", TableRow.class), 3_000);
            owner.force();
        }
        truncate(3_000 * ROWS.byteSize() - 1);
        try (ArenaImage image = ArenaImage.open(base, LATER_BOOT); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> image.structures(arena).table("rows", TableRow.class))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Data file is truncated");
        }
        try (InfiniteArena owner = open(LATER_BOOT)) {
            assertThatThrownBy(() -> owner.structures().table("rows", TableRow.class))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Data file is truncated");
            assertThat(Files.size(ImageFiles.data(base, 0))).isEqualTo(3_000 * ROWS.byteSize() - 1);
        }
    }

    private void truncate(long byteSize) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(ImageFiles.data(base, 0).toFile(), "rw")) {
            file.setLength(byteSize);
        }
    }

    @Test
    void table_whoseNumberOfRowsExceedsTheMemory_isRefused() throws IOException {
        try (InfiniteArena owner = open(BOOT)) {
            append(owner.structures().table("rows", TableRow.class), 10);
            owner.force();
            long largest = owner.names().growable("rows", ROWS.type(), 1).byteSize() / ROWS.byteSize();
            try (ArenaImage image = ArenaImage.open(base, BOOT); Arena arena = Arena.ofConfined()) {
                GrowableTable<TableRow> table = owner.structures().table("rows", TableRow.class);
                GrowableTable<TableRow> reader = image.structures(arena).table("rows", TableRow.class);
                for (long count : new long[]{largest + 1, 1L << 40, CatalogFormat.LARGEST_VALUE - 1}) {
                    store(COUNT, CatalogFormat.checkedValue(position(COUNT), count));
                    for (ThrowingCallable call : List.<ThrowingCallable>of(table::size, reader::size,
                            () -> table.append(TableRow.of(10)), () -> table.get(10), () -> reader.get(10),
                            () -> owner.structures().table("rows", TableRow.class),
                            () -> image.structures(arena).table("rows", TableRow.class))) {
                        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("exceeds the memory")
                                .hasMessageContaining("ount=" + count);
                    }
                }
                store(COUNT, CatalogFormat.checkedValue(position(COUNT), largest));
                assertThat(reader.get(largest - 1).number()).isZero();
                assertThat(table.append(TableRow.of(largest))).isEqualTo(largest);
            }
        }
    }

    @Test
    void table_whoseNumberOfRowsIsDamaged_isRefusedUntilItIsStored() throws IOException {
        try (InfiniteArena owner = open(BOOT)) {
            append(owner.structures().table("rows", TableRow.class), 10);
            store(COUNT, 12345);
            assertThatThrownBy(() -> owner.structures().table("rows", TableRow.class)).as("nothing was forced")
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Number of elements is damaged");
            try (ArenaImage image = ArenaImage.open(base, BOOT); Arena arena = Arena.ofConfined()) {
                assertThatThrownBy(() -> image.structures(arena).table("rows", TableRow.class))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Number of elements is damaged: name=rows");
            }
            owner.names().growable("rows", ROWS.type(), 1).elementCount(10);
            check(owner.structures().table("rows", TableRow.class), 10);
            store(COUNT, 12345);
            store(FORCED_COUNT, 12345);
            assertThatThrownBy(() -> owner.structures().table("rows", TableRow.class))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    private long position(int field) throws IOException {
        return read(ArenaImage.open(base),
                image -> image.find("rows").orElseThrow().number() * CatalogFormat.SLOT - CatalogFormat.LINE + field);
    }

    private void store(int field, long value) throws IOException {
        long position = position(field);
        try (RandomAccessFile catalog = new RandomAccessFile(ImageFiles.catalog(base).toFile(), "rw")) {
            catalog.seek(position);
            catalog.writeLong(Long.reverseBytes(value));
        }
    }

    @Test
    void append_killed_leavesEachRowThatHadReturnedAndNoOther() throws Exception {
        kill("append", 0, 1);
    }

    @Test
    @Tag("full")
    void appendAll_killed_leavesEachRowThatHadReturnedAndTheFirstOfTheOthers() throws Exception {
        kill("appendAll", 0, 100);
    }

    @Test
    @Tag("slow")
    void append_killedManyTimes_leavesEachRowThatHadReturnedAndNoOther() throws Exception {
        for (int seed = 0; seed < KILLS; seed++) {
            kill(seed % 5 == 0 ? "appendAll" : "append", seed, seed % 5 == 0 ? 100 : 1);
            if (seed % 20 == 19) {
                ImageFiles.delete(base);
            }
        }
    }

    /// @param more the number of rows that a call appends
    private void kill(String scenario, int seed, int more) throws Exception {
        Path output = directory.resolve("output");
        ChildJvm jvm = seed % 2 == 0 ? ChildJvm.granted() : ChildJvm.denied();
        String printed = KilledWriter.kill(jvm.command(TableChild.class, scenario, base.toString()), output, 100,
                new SplittableRandom(seed).nextInt(20_000));
        List<String> lines = printed.lines().toList();
        long acknowledged = Long.parseLong(lines.get(lines.size() - (printed.endsWith("\n") ? 1 : 2)));
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.integrity().problems().filter(problem -> !problem.isNote())).isEmpty();
            check(image.structures(arena).table("rows", TableRow.class), acknowledged, more);
        }
        using(InfiniteArena.builder(base).reopen(),
                arena -> check(arena.structures().table("rows", TableRow.class), acknowledged, more));
    }

    /// The last call of the writer may have appended its rows, or some of them, without printing their number; so may
    /// the call whose number is cut.
    private static void check(GrowableTable<TableRow> table, long acknowledged, int more) {
        assertThat(table.size()).isBetween(acknowledged, acknowledged + 2L * more);
        for (long number = 0; number < table.size(); number++) {
            if (!table.get(number).equals(TableRow.of(number))) {
                assertThat(table.get(number)).isEqualTo(TableRow.of(number));
            }
        }
    }

    @Test
    @Tag("full")
    void read_besideAWriterInAnotherProcess_getsEachRowWhole() throws Exception {
        read(100_000);
    }

    @Test
    @Tag("slow")
    void read_longBesideAWriterInAnotherProcess_getsEachRowWhole() throws Exception {
        read(50_000_000);
    }

    private void read(long count) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            Process reader = ChildJvm.granted()
                    .command(TableChild.class, "read", base.toString(), Long.toString(count))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader output = reader.inputReader()) {
                assertThat(output.readLine()).isEqualTo("reading");
                for (long number = 0; number < count; number++) {
                    table.append(TableRow.of(number));
                }
                assertThat(output.readLine()).matches("[0-9]+").isNotEqualTo("0");
                assertThat(reader.waitFor()).isZero();
            } finally {
                reader.destroyForcibly().waitFor();
            }
        }
    }

    /// A process that appends rows to a table until it is killed, or reads them beside a writer.
    static final class TableChild {
        private TableChild() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            Path base = Path.of(arguments[1]);
            switch (arguments[0]) {
                case "append" -> append(base, 1);
                case "appendAll" -> append(base, 100);
                case "read" -> read(base, Long.parseLong(arguments[2]));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        /// Prints the number of rows after each call that has returned.
        private static void append(Path base, int batch) {
            InfiniteArena arena = InfiniteArena.builder(base).openOrCreate();
            GrowableTable<TableRow> table = arena.structures().table("rows", TableRow.class);
            while (true) {
                long size = table.size();
                if (batch == 1) {
                    table.append(TableRow.of(size));
                } else {
                    table.appendAll(LongStream.range(size, size + batch).mapToObj(TableRow::of).toList());
                }
                System.out.println(size + batch);
            }
        }

        /// Reads all rows that appear until there are as many as requested, and prints how often it has seen new rows.
        private static void read(Path base, long count) throws IOException {
            try (ArenaImage image = ArenaImage.open(base);
                    Arena arena = Arena.ofConfined()) {
                GrowableTable<TableRow> table = image.structures(arena).table("rows", TableRow.class);
                System.out.println("reading");
                long read = 0;
                long changes = 0;
                while (read < count) {
                    long size = table.size();
                    changes += size > read ? 1 : 0;
                    for (; read < size; read++) {
                        if (!table.get(read).equals(TableRow.of(read))) {
                            throw new AssertionError("row " + read + ": " + table.get(read));
                        }
                    }
                }
                System.out.println(changes);
            }
        }
    }
}
