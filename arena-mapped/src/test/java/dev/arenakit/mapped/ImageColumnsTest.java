package dev.arenakit.mapped;

import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tables of columns in images: for the next owner, for other processes, after kills, and damaged.
class ImageColumnsTest extends InDirectory {
    private static final ColumnMapper<Trade> TRADES = ColumnMapper.of(Trade.class);
    private static final RecordMapper<Trade> ROWS = RecordMapper.of(Trade.class);
    private static final int KILLS = 500;
    /// The number of rows from which the test begins anew, because it reads all of them.
    private static final long MOST = 1_000_000;

    record Trade(long id, @Order(Order.Endian.BIG_ENDIAN) int quantity, @Length(20) String symbol, double price) {
        static Trade of(long id) {
            return new Trade(id, (int) -id, "symbol " + id, id / 4.0);
        }
    }

    record Other(long id, int quantity, double price) {}

    private InfiniteArena open() {
        return InfiniteArena.builder(base).openOrCreate();
    }

    private static void append(ColumnTable<Trade> trades, long end) {
        for (long id = trades.count(); id < end; id++) {
            trades.append(Trade.of(id));
        }
    }

    private static void check(ColumnTable<Trade> trades, long count) {
        assertThat(trades.count()).isEqualTo(count);
        for (long id = 0; id < count; id++) {
            assertThat(trades.get(id)).isEqualTo(Trade.of(id));
        }
    }

    @Test
    void columns_ofTheNextOwnerAndOfReaders_haveTheRows() throws IOException {
        try (InfiniteArena arena = open()) {
            ColumnTable<Trade> trades = arena.structures().columns("trades", TRADES, 10_000);
            assertThat(trades.capacity()).isEqualTo(10_048);
            append(trades, 100);
            assertThat(arena.structures().columns("trades", TRADES, 1).capacity()).isEqualTo(10_048);
        }
        try (InfiniteArena arena = open();
                ArenaImage image = ArenaImage.open(base);
                Arena memory = Arena.ofConfined()) {
            ColumnTable<Trade> trades = arena.structures().columns("trades", TRADES, 1);
            ColumnTable<Trade> read = image.structures(memory).columns("trades", TRADES, 1);
            check(read, 100);
            append(trades, 5_000);
            check(read, 5_000);
            assertThat(image.type(image.find("trades").orElseThrow())).contains(TRADES.rowType());
            assertThatIllegalArgumentException().isThrownBy(() -> read.append(Trade.of(0)))
                    .withMessageContaining("read-only");
            assertThatIllegalArgumentException().isThrownBy(() -> arena.structures().repair("trades"));
            assertThatIllegalStateException()
                    .isThrownBy(() -> arena.structures().columns("trades", ColumnMapper.of(Other.class), 1));
        }
    }

    @Test
    void columns_createdByThreads_areOneTable() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (int round = 0; round < 20; round++) {
                String name = "trades" + round;
                Object turn = new Object();
                Threads.race(4, _ -> {
                    ColumnTable<Trade> trades = arena.structures().columns(name, TRADES, 100);
                    synchronized (turn) {
                        trades.append(Trade.of(trades.count()));
                    }
                });
                check(arena.structures().columns(name, TRADES, 100), 4);
            }
        }
    }

    @Test
    void entries_whileTheOwnerAppends_areTheRows() throws IOException {
        try (InfiniteArena arena = open(); ArenaImage image = ArenaImage.open(base)) {
            ColumnTable<Trade> trades = arena.structures().columns("trades", TRADES, 20_000);
            append(trades, 9_000);
            ImageEntries entries = entries(image);
            append(trades, 10_000);

            assertThat(entries.kind()).isEqualTo("ColumnTable");
            assertThat(entries.type()).isEqualTo(TRADES.rowType());
            assertThat(entries.state()).isEqualTo(StructureState.OPEN);
            assertThat(entries.recordedCount()).isEqualTo(10_000);
            assertThat(rows(entries.cursor())).hasSize(10_000)
                    .allSatisfy(
                            (id, row) -> assertThat(row).isEqualTo(Trade.of(id)));
            assertThat(entries.check(problem -> {
                throw new AssertionError(problem);
            })).isEqualTo(10_000);
            MemorySegment one = MemorySegment.ofArray(new long[(int) TRADES.rowType().byteSize() / Long.BYTES]);
            entries.read(4711, one);
            assertThat(ROWS.get(one)).isEqualTo(Trade.of(4711));
            assertThatThrownBy(() -> entries.read(10_000, one)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void cursor_ofSomeMembers_readsTheirColumnsAlone() throws IOException {
        try (InfiniteArena arena = open()) {
            append(arena.structures().columns("trades", TRADES, 20_000), 10_000);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            ImageEntries entries = entries(image);
            assertThat(rows(entries.cursor("price"::equals))).allSatisfy(
                    (id, row) -> assertThat(row).isEqualTo(new Trade(0, 0, "", id / 4.0)));
            assertThat(rows(entries.cursor(_ -> false))).hasSize(10_000);
        }
    }

    @Test
    void source_ofARange_passesItsBytes() throws IOException {
        try (InfiniteArena arena = open()) {
            append(arena.structures().columns("trades", TRADES, 20_000), 10_000);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            long byteSize = TRADES.rowType().byteSize();
            for (long skip : new long[]{0, 1, byteSize, 5_000 * byteSize + 3, 10_000 * byteSize}) {
                byte[] passed = bytes(entries(image).source(), skip, Math.toIntExact(2 * byteSize));
                assertThat(passed).hasSize((int) Math.min(2 * byteSize, 10_000 * byteSize - skip));
                if (skip % byteSize == 0 && passed.length > 0) {
                    long[] row = new long[passed.length / Long.BYTES];
                    MemorySegment.ofArray(row).copyFrom(MemorySegment.ofArray(passed));
                    assertThat(ROWS.getAtIndex(MemorySegment.ofArray(row), 0)).isEqualTo(Trade.of(skip / byteSize));
                }
            }
        }
    }

    @Test
    void source_ofSomeMembers_readsTheirColumnsAlone() throws IOException {
        try (InfiniteArena arena = open()) {
            append(arena.structures().columns("trades", TRADES, 20_000), 10_000);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            long byteSize = TRADES.rowType().byteSize();
            byte[] row = bytes(entries(image).source("price"::equals), 4711 * byteSize, Math.toIntExact(byteSize));
            assertThat(ROWS.get(Arena.ofAuto().allocate(byteSize, 8).copyFrom(MemorySegment.ofArray(row))))
                    .isEqualTo(new Trade(0, 0, "", 4711 / 4.0));
        }
    }

    private ImageEntries entries(ArenaImage image) throws IOException {
        return image.entries(image.find("trades").orElseThrow()).orElseThrow();
    }

    private static Map<Long, Trade> rows(ImageEntries.Cursor cursor) throws IOException {
        Map<Long, Trade> rows = new LinkedHashMap<>();
        while (cursor.next()) {
            for (int i = 0; i < cursor.count(); i++) {
                rows.put(cursor.position(i), ROWS.getAtIndex(cursor.entries(), i));
            }
        }
        return rows;
    }

    @Test
    void columns_ofAnUnfinishedOrDamagedTable_areCreatedOrRefused() throws IOException {
        try (InfiniteArena arena = open()) {
            arena.names().allocate("trades", TRADES.type(), 1_000);
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(entries(image).state()).isEqualTo(StructureState.UNFINISHED);
                assertThat(entries(image).count()).isZero();
            }
            MemorySegment memory = arena.structures().columns("trades", TRADES, 1_000).segment();
            ValueLayout.OfLong number = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
            for (long offset : new long[]{0, 8, 16, 24, 32}) {
                long before = memory.get(number, offset);
                memory.set(number, offset, 1L << 50);
                assertThatIllegalStateException().isThrownBy(() -> arena.structures().columns("trades", TRADES, 1))
                        .withMessageStartingWith("Table is damaged: name=trades, reason=");
                try (ArenaImage image = ArenaImage.open(base)) {
                    assertThatThrownBy(() -> entries(image).count()).isInstanceOf(IOException.class);
                    List<String> problems = new ArrayList<>();
                    assertThatThrownBy(() -> entries(image).cursor()).isInstanceOf(IOException.class);
                    entries(image).check(problems::add);
                    assertThat(offset == 8 || !problems.isEmpty()).isTrue();
                }
                memory.set(number, offset, before);
            }
        }
        try (RandomAccessFile file = new RandomAccessFile(Path.of(base + "-0").toFile(), "rw")) {
            file.setLength(4096);
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(entries(image).count()).isZero();
        }
    }

    /// Appends rows until it is killed.
    static final class AppendingSession {
        public static void main(String[] args) {
            try (InfiniteArena arena = InfiniteArena.builder(Path.of(args[0])).openOrCreate()) {
                ChildJvm.endWithParent();
                ColumnTable<Trade> trades = arena.structures().columns("trades", TRADES, 1L << 32);
                System.out.println("appending");
                append(trades, trades.capacity());
            }
        }
    }

    // It starts a JVM.
    @Test
    @Tag("full")
    void append_killed_leavesWholeRows() throws Exception {
        kill(1);
    }

    // It starts as many processes.
    @Test
    @Tag("slow")
    void append_killed500Times_leavesWholeRows() throws Exception {
        kill(KILLS);
    }

    private void kill(int kills) throws Exception {
        long before = 0;
        for (int i = 0; i < kills; i++) {
            Process writer = ChildJvm.granted().command(AppendingSession.class, base.toString()).start();
            try (BufferedReader output = writer.inputReader()) {
                assertThat(output.readLine()).isEqualTo("appending");
                try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                    ColumnTable<Trade> reader = image.structures(arena).columns("trades", TRADES, 1);
                    while (reader.count() < before + 1 + i % 7) {
                        Thread.onSpinWait();
                    }
                }
            } finally {
                writer.destroyForcibly().waitFor();
            }
            try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                ColumnTable<Trade> left = image.structures(arena).columns("trades", TRADES, 1);
                check(left, left.count());
                assertThat(left.count()).isGreaterThan(before);
                before = left.count();
            }
            if (before > MOST) {
                before = 0;
                using(InfiniteArena.builder(base).reopen(), arena -> arena.names().free("trades"));
            }
        }
    }
}
