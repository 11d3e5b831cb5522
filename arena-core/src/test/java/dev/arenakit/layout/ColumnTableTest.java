package dev.arenakit.layout;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.RecordSamples.Bitfields;
import dev.arenakit.layout.RecordSamples.Counted;
import dev.arenakit.layout.RecordSamples.Message;
import dev.arenakit.layout.RecordSamples.Nested;
import dev.arenakit.layout.RecordSamples.One;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.ColumnTableFormat.Column;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SuppressWarnings("ArrayRecordComponent") // The arrays are members of structs.
class ColumnTableTest {
    private static final byte BEFORE = 0x5a;
    private static final ColumnMapper<Trade> TRADES = ColumnMapper.of(Trade.class);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    record Trade(long id, int quantity, @Order(Order.Endian.BIG_ENDIAN) double price, @Length(5) String symbol) {}

    record Quote(long id, int quantity, double price, @Length(5) String symbol) {}

    record Prefixed(@Length(4) @Encoding(prefix = 1) String text, int one, int two,
            @Length(value = 2, counted = "one") int[] counted) {}

    record Spaced(@Length(5) @Encoding(padding = Encoding.Padding.SPACE) String text, int one, int two,
            @Length(value = 2, counted = "one") int[] counted) {}

    record Ended(@Length(5) String text, int one, int two, @Length(value = 2, counted = "one") int[] counted) {}

    record CountedByTwo(@Length(5) String text, int one, int two, @Length(value = 2, counted = "two") int[] counted) {}

    @Test
    void columns_ofARecordThatReadsTheBytesOtherwise_isRefused() {
        List<Class<? extends Record>> types = List.of(Prefixed.class, Spaced.class, Ended.class, CountedByTwo.class);
        for (Class<? extends Record> created : types) {
            MemorySegment table = ColumnMapper.of(created).create(Arena.ofAuto(), 1).segment();
            for (Class<? extends Record> opened : types) {
                if (opened != created) {
                    assertThatIllegalArgumentException().as("%s %s", created, opened)
                            .isThrownBy(() -> ColumnMapper.of(opened).columns(table))
                            .withMessageStartingWith("Table has other columns: row=" + opened.getSimpleName());
                }
            }
        }
    }

    @Test
    void append_randomRecords_areReadBackAndLieInTheirColumns() {
        for (Class<? extends Record> type : RecordSamples.ALL) {
            check(type, 3);
        }
    }

    // It takes a minute.
    @Test
    @Tag("slow")
    void append_100_000RandomRecords_areReadBackAndLieInTheirColumns() {
        for (Class<? extends Record> type : RecordSamples.ALL) {
            check(type, 100_000 / RecordSamples.ALL.size());
        }
    }

    /// Appends and replaces records, and compares all bytes of the table with the rows that a [RecordMapper] writes.
    private static <R> void check(Class<R> type, int count) {
        RecordMapper<R> rows = RecordMapper.of(type);
        ColumnMapper<R> mapper = ColumnMapper.of(type);
        RandomRecords random = new RandomRecords(new Random(type.getName().hashCode()));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(mapper.byteSize(1) + 10, 64).fill(BEFORE);
            ColumnTable<R> table = mapper.create(memory);
            assertThat(table.capacity()).isEqualTo(64);
            MemorySegment row = rows.allocate(arena);
            byte[] expected = memory.toArray(JAVA_BYTE);
            for (int i = 0; i < count; i++) {
                int index = i % 64;
                R record = random.next(type);
                if (i < 64) {
                    assertThat(table.append(record)).isEqualTo(index);
                    storeCount(expected, index + 1);
                } else {
                    table.set(index, record);
                }
                for (Column column : ColumnTableFormat.of(rows.type()).columns()) {
                    copy(column, row, expected, index, true);
                }
                rows.set(row, record);
                for (Column column : ColumnTableFormat.of(rows.type()).columns()) {
                    copy(column, row, expected, index, false);
                }
                assertThat(table.get(index)).as("%s", record).matches(read -> RandomRecords.equal(read, record));
                assertThat(memory.toArray(JAVA_BYTE)).as("%s", record).isEqualTo(expected);
            }
        }
    }

    private static void storeCount(byte[] expected, long count) {
        MemorySegment.ofArray(expected).set(LONG.withByteAlignment(1), 32, count);
    }

    private static void copy(Column column, MemorySegment row, byte[] table, long index, boolean toRow) {
        MemorySegment inTable = MemorySegment.ofArray(table)
                .asSlice(column.byteOffset(64, index) + column.byteOffset(), column.byteSize());
        MemorySegment inRow = row.asSlice(column.rowByteOffset(), column.byteSize());
        (toRow ? inRow : inTable).copyFrom(toRow ? inTable : inRow);
    }

    @Test
    void column_ofAComponent_hasItsElementsOneAfterAnother() {
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Trade> table = TRADES.create(arena, 100);
            assertThat(table.capacity()).isEqualTo(128);
            assertThat(TRADES.byteSize(100)).isEqualTo(TRADES.byteSize(128)).isEqualTo(table.segment().byteSize());
            assertThat(table.column("price").byteSize()).isZero();

            for (int i = 0; i < 10; i++) {
                table.append(new Trade(i, -i, i / 2.0, "T" + i));
            }

            assertThat(table.column("price")
                    .toArray(
                            ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.BIG_ENDIAN)))
                    .containsExactly(0, 0.5, 1, 1.5, 2, 2.5, 3,
                            3.5, 4, 4.5);
            assertThat(table.column("quantity").toArray(ValueLayout.JAVA_INT)).containsExactly(0, -1, -2, -3, -4, -5,
                    -6, -7, -8, -9);
            assertThat(table.column("symbol").byteSize()).isEqualTo(50);
            for (Member member : TRADES.rowType().members()) {
                assertThat(table.column(member.name()).address() % 64).as(member.name()).isZero();
            }
            assertThatIllegalArgumentException().isThrownBy(() -> table.column("cost"))
                    .withMessage(
                            "Rows have no such member: name=cost, row=Trade, members=[id, quantity, price, symbol]");
        }
    }

    @Test
    void format_membersThatReferToEachOther_shareAColumn() {
        assertThat(columns(Nested.class)).containsExactly(List.of("a"), List.of("b"), List.of("c"), List.of("d"),
                List.of("e"));
        assertThat(columns(Message.class)).containsExactly(List.of("kind", "body"), List.of("end"));
        assertThat(columns(Bitfields.class).getFirst()).hasSizeGreaterThan(1);
        assertThat(columns(Counted.class).getFirst()).hasSizeGreaterThan(1);
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Message> table = ColumnMapper.of(Message.class).create(arena, 1);
            assertThat(table.column("kind").address()).isEqualTo(table.column("body").address());
        }
    }

    private static List<List<String>> columns(Class<?> record) {
        return ColumnTableFormat.of(RecordMapper.of(record).type())
                .columns()
                .stream()
                .map(column -> column.element().members().stream().map(Member::name).toList())
                .toList();
    }

    @Test
    void type_isTheRecordedOne_andGivesTheFormatBack() {
        assertThat(TRADES.type().name()).isEqualTo("ColumnTable");
        assertThat(TRADES.rowType()).isEqualTo(RecordMapper.of(Trade.class).type());
        assertThat(ColumnTableFormat.recordedRow(LayoutText.parse(LayoutText.print(TRADES.type()))))
                .contains(TRADES.rowType());
        assertThat(ColumnTableFormat.recordedRow(TRADES.rowType())).isEmpty();
        assertThat(ColumnMapper.of(Trade.class)).isSameAs(TRADES).hasToString("ColumnMapper of Trade (4 columns)");
    }

    @Test
    void dump_ofATable_showsItsRows() {
        RecordMapper<Trade> rows = RecordMapper.of(Trade.class);
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Trade> table = TRADES.create(arena, 200);
            MemorySegment structs = rows.allocateZeroed(arena, 70);
            for (int i = 0; i < 70; i++) {
                Trade trade = new Trade(i, -i, i / 2.0, "T" + i);
                table.append(trade);
                rows.setAtIndex(structs, i, trade);
            }
            LayoutDump dump = LayoutDump.of(TRADES.type());
            LayoutDump expected = LayoutDump.of(rows.type());
            assertThat(dump.toString(table.segment())).isEqualTo(expected.toString(structs))
                    .endsWith("6 of 70 structs)\n");
            assertThat(dump.withFirst(68).withCount(9).toString(table.segment()))
                    .isEqualTo(expected.withFirst(68).toString(structs));
            assertThat(dump.withFirst(71).toString(table.segment())).isEmpty();
            assertThatIllegalArgumentException().isThrownBy(() -> dump.toString(structs))
                    .withMessageStartingWith("Segment has no table of columns");
        }
    }

    @Test
    void append_fullTable_isRefusedWithItsCapacity() {
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<One> table = ColumnMapper.of(One.class).create(arena, 64);
            for (int i = 0; i < 64; i++) {
                table.append(new One(i));
            }
            assertThatIllegalStateException().isThrownBy(() -> table.append(new One(64)))
                    .withMessage("Table is full: capacity=64, segment.byteSize=640, row=One; create a larger table, and"
                            + " append the records of this one to it");
            assertThat(table.count()).isEqualTo(64);
            assertThat(table.get(63)).isEqualTo(new One(63));
        }
    }

    @Test
    void access_refused_changesNothing() {
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Trade> table = TRADES.create(arena, 1);
            table.append(new Trade(1, 2, 3, "a"));
            byte[] before = table.segment().toArray(JAVA_BYTE);
            ColumnTable<Trade> readOnly = TRADES.columns(table.segment().asReadOnly());

            for (long index : new long[]{-1, 1, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> table.get(index))
                        .withMessage("Table has no such record: index=" + index + ", count=1, row=Trade");
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> table.set(index, new Trade(0, 0, 0, "")));
            }
            assertThatIllegalArgumentException().isThrownBy(() -> table.append(new Trade(4, 5, 6, "too long")))
                    .withMessageContaining("symbol");
            assertThatIllegalArgumentException().isThrownBy(() -> table.set(0, new Trade(4, 5, 6, "too long")));
            assertThatIllegalArgumentException().isThrownBy(() -> readOnly.append(new Trade(4, 5, 6, "b")))
                    .withMessageContaining("Segment is read-only: row=1");
            assertThat(readOnly.get(0)).isEqualTo(new Trade(1, 2, 3, "a"));
            assertThat(table.segment().toArray(JAVA_BYTE)).isEqualTo(before);

            table.set(0, new Trade(4, 5, 6, "b"));
            assertThat(table.get(0)).isEqualTo(new Trade(4, 5, 6, "b"));
            assertThat(TRADES.columns(table.segment()).append(new Trade(7, 8, 9, "c"))).isEqualTo(1);
            assertThat(table.count()).isEqualTo(2);
            assertThat(readOnly.get(1)).isEqualTo(new Trade(7, 8, 9, "c"));
        }
    }

    @Test
    void access_closedSegment_namesTheRow() {
        Arena arena = Arena.ofConfined();
        ColumnTable<One> table = ColumnMapper.of(One.class).create(arena, 1);
        table.append(new One(1));
        ColumnTable<One> opened = ColumnMapper.of(One.class).columns(table.segment());
        arena.close();

        assertThatIllegalStateException().isThrownBy(() -> opened.get(0))
                .withMessageContaining("Segment is already closed: row=0, layout=One");
        assertThatIllegalStateException().isThrownBy(() -> opened.append(new One(2)));
    }

    record Appending(long value) {
        static final AtomicReference<Runnable> ACCESS = new AtomicReference<>(() -> {});

        @Override
        public long value() {
            ACCESS.getAndSet(() -> {}).run();
            return value;
        }
    }

    @Test
    void append_byAnAccessorOfTheRecord_isReported() {
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Appending> table = ColumnMapper.of(Appending.class).create(arena, 1);
            Appending.ACCESS.set(() -> table.append(new Appending(1)));
            assertThatIllegalStateException().isThrownBy(() -> table.append(new Appending(2)))
                    .withMessageStartingWith("Table was changed during an append: index=0, count=1");
            assertThat(table.append(new Appending(3))).isEqualTo(1);
        }
    }

    record TooAligned(int a, @Align(128) int b) {}

    @Test
    void of_recordThatHasNoColumns_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnMapper.of(TooAligned.class))
                .withMessage("Member is aligned to more bytes than a column: member=b, byteAlignment=128, largest=64;"
                        + " align it to fewer bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnMapper.of(String.class));
        StructType huge = StructType.builder("Huge")
                .add("a", ArrayType.of(ValueType.of(byte.class), 1L << 62))
                .add("b", ArrayType.of(ValueType.of(byte.class), (1L << 62) - 1))
                .build();
        assertThatIllegalArgumentException().isThrownBy(() -> ColumnTableFormat.of(huge))
                .withMessageStartingWith("Row has no size, or is too large: row=Huge");
        assertThatIllegalArgumentException().isThrownBy(() -> TRADES.create(Arena.ofAuto(), -1))
                .withMessageContaining("capacity=-1");
        assertThatIllegalArgumentException().isThrownBy(() -> TRADES.byteSize(-1)).withMessageContaining("capacity=-1");
        assertThatIllegalArgumentException().isThrownBy(() -> TRADES.byteSize(Long.MAX_VALUE / 25));
    }

    @Test
    void columns_badSegment_isRefusedWithItsValues() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment table = TRADES.create(arena, 200).segment();

            assertThatIllegalArgumentException().isThrownBy(() -> TRADES.columns(table.asSlice(0, 63)))
                    .withMessageStartingWith("Segment has no table of columns: segment.byteSize=63, row=Trade");
            assertThatIllegalArgumentException().isThrownBy(() -> TRADES.columns(arena.allocate(6400, 64)))
                    .withMessageStartingWith("Segment has no table of columns");
            assertThatIllegalArgumentException().isThrownBy(() -> TRADES.columns(arena.allocate(6400, 64).fill(BEFORE)))
                    .withMessageStartingWith("Table has other columns: row=Trade, magic=0x5a5a5a5a5a5a5a5a");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ColumnMapper.of(Quote.class).columns(table))
                    .withMessageContaining("rowByteSize=25, expected=25, fingerprint=");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TRADES.columns(table.asSlice(0, TRADES.byteSize(200) - 1)))
                    .withMessageContaining("capacity=256, segment.byteSize=" + (TRADES.byteSize(200) - 1)
                            + ", largestCapacity=192");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> TRADES.columns(MemorySegment.ofArray(table.toArray(JAVA_BYTE))))
                    .withMessageContaining("maxByteAlignment=1, required=8");
            assertThatIllegalArgumentException().isThrownBy(() -> TRADES.create(MemorySegment.ofArray(new byte[9000])));
            assertThatIllegalArgumentException().isThrownBy(() -> TRADES.create(arena.allocate(300, 64)))
                    .withMessageContaining("segment.byteSize=300, required=" + TRADES.byteSize(1));
            for (long wrong : new long[]{-64, 63, 320, Long.MIN_VALUE, 1L << 60}) {
                assertDamaged(table, 24, wrong, "capacity=" + wrong);
            }
            for (long wrong : new long[]{-1, 257, Long.MIN_VALUE}) {
                assertDamaged(table, 32, wrong, "Header of a table is damaged: count=" + wrong + ", capacity=256");
            }
            ColumnTable<Trade> opened = TRADES.columns(table);
            table.set(LONG, 32, 257);
            assertThatIllegalStateException().isThrownBy(opened::count).withMessageContaining("count=257");
            assertThatIllegalStateException().isThrownBy(() -> opened.get(256));
            assertThatIllegalStateException().isThrownBy(() -> opened.append(new Trade(1, 2, 3, "a")));
        }
    }

    private static void assertDamaged(MemorySegment table, long at, long wrong, String message) {
        long before = table.get(LONG, at);
        table.set(LONG, at, wrong);
        assertThatIllegalArgumentException().isThrownBy(() -> TRADES.columns(table)).withMessageContaining(message);
        table.set(LONG, at, before);
    }

    @Test
    void create_onTheHeap_isATable() {
        long[] array = new long[(int) TRADES.byteSize(1) / Long.BYTES];
        Arrays.fill(array, -1);
        ColumnTable<Trade> table = TRADES.create(MemorySegment.ofArray(array));
        table.append(new Trade(1, 2, 3, "a"));
        assertThat(TRADES.columns(MemorySegment.ofArray(array)).get(0)).isEqualTo(new Trade(1, 2, 3, "a"));
    }

    record Pair(long one, long other, @Length(8) String text) {}

    @Test
    void get_whileAnotherThreadAppends_seesRecordsWhole() {
        int count = 100_000;
        try (Arena arena = Arena.ofShared()) {
            ColumnMapper<Pair> pairs = ColumnMapper.of(Pair.class);
            ColumnTable<Pair> table = pairs.create(arena, count);
            ColumnTable<Pair> reader = pairs.columns(table.segment());
            Threads.race(2, thread -> {
                for (int i = 0; thread == 0 && i < count; i++) {
                    table.append(new Pair(i, ~i, String.valueOf(i)));
                }
                for (long read = 0; thread == 1 && read < count;) {
                    for (long present = reader.count(); read < present; read++) {
                        assertThat(reader.get(read)).isEqualTo(new Pair(read, ~read, String.valueOf(read)));
                    }
                }
            });
        }
    }
}
