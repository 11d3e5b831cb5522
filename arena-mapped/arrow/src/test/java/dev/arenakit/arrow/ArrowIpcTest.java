package dev.arenakit.arrow;

import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArrowIpcTest {
    private static final StructType ORDER = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 7, SELL = 1, };
            struct Order {
                uint8_t id;
                enum Side side;
                char symbol[6];
                struct { int8_t n; uint8_t of[4] @count(n); char note[2]; } part;
            };
            """);
    private static final MemorySegment ROWS = orders(order(1, 7, "A"), order(2, 1, "B"), order(3, 7, "C"),
            order(4, 1, "D"), order(5, 7, "E"));

    private static MemorySegment orders(String... orders) {
        return MemorySegment.ofArray(String.join("", orders).getBytes(UTF_8));
    }

    private static String order(int id, int side, String symbol) {
        return (char) id + "" + (char) side + symbol + "\0".repeat(6 - symbol.length()) + "\2abcdxy";
    }

    private static byte[] written(ArrowIpc format, MemorySegment segment) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            format.write(Channels.newChannel(bytes), segment);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void write_ofNestedStructs_writesTheirMembers() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowIpc.write(Channels.newChannel(bytes), ORDER, orders(order(1, 7, "AB"), order(2, 1, "ABCDEF")));
        List<Long> elements = List.of((long) 'a', (long) 'b');
        assertThat(ArrowRows.ofStream(bytes.toByteArray()).rows()).containsExactly(
                List.of(1L, "BUY", "AB", Map.of("n", 2L, "of", elements, "note", "xy")),
                List.of(2L, "SELL", "ABCDEF", Map.of("n", 2L, "of", elements, "note", "xy")));
    }

    @Test
    void writeFile_ofStructs_hasTheTypeInTheSchema() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowIpc.writeFile(Channels.newChannel(bytes), ORDER, orders(order(1, 7, "AB")));
        ArrowRows read = ArrowRows.ofFile(bytes.toByteArray());
        assertThat(read.schema().getCustomMetadata()).containsExactly(
                Map.entry("dev.arenakit.layout", LayoutText.print(ORDER)));
        assertThat(read.schema().getFields()).extracting(Field::getName)
                .containsExactly("id", "side", "symbol",
                        "part");
        assertThat(read.schema().getFields()).noneMatch(Field::isNullable);
    }

    @Test
    void write_ofNoRows_hasNoBatch() {
        MemorySegment empty = MemorySegment.ofArray(new byte[0]);
        assertThat(ArrowRows.ofStream(written(ArrowIpc.stream(ORDER), empty)).batches()).isEmpty();
        assertThat(ArrowRows.ofFile(written(ArrowIpc.file(ORDER), empty)).batches()).isEmpty();
    }

    @Test
    void write_ofOneRowMoreThanABatch_hasASecondBatch() {
        MemorySegment rows = orders(order(1, 1, ""), order(2, 1, ""), order(3, 1, ""));
        assertThat(ArrowRows.ofFile(written(ArrowIpc.file(ORDER).withBatchRows(2), rows)).batches())
                .containsExactly(2, 1);
        assertThat(ArrowRows.ofFile(written(ArrowIpc.file(ORDER).withBatchRows(3), rows)).batches())
                .containsExactly(3);
    }

    @Test
    void write_ofLargeRows_hasSmallBatches() {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct Large { char text[4000000]; };");
        MemorySegment rows = MemorySegment.ofArray(new byte[17 * 4_000_000]);
        assertThat(ArrowRows.ofStream(written(ArrowIpc.stream(type), rows)).batches()).containsExactly(16, 1);
    }

    @Test
    void write_ofARowThatIsTooLarge_isRefused() {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct Large { uint8_t bytes[2000000000]; };");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(ArrowIpc.stream(type), MemorySegment.ofArray(new byte[0])))
                .withMessageContaining("Row is too large: struct=Large, byteSize=2000000005, limit=1073741824");
    }

    @Test
    void write_ofAnIncompleteStruct_isRefused() {
        MemorySegment rows = orders(order(1, 1, "AB"), "x");
        assertThatIllegalArgumentException().isThrownBy(() -> written(ArrowIpc.stream(ORDER), rows))
                .withMessage("Segment does not consist of whole structs: segment.byteSize=16, struct.byteSize=15");
    }

    @Test
    void stream_ofATypeWithoutColumns_isRefused() {
        StructType type = StructType.builder("Empty")
                .add("none", ArrayType.of(StructType.builder("").build(), 3))
                .build();
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(type))
                .withMessage("Type has no columns: struct=Empty");
    }

    @Test
    void stream_ofATypeWithoutBytes_isRefused() {
        StructType type = StructType.builder("Empty").add("none", ArrayType.of(ValueType.of(int.class), 0)).build();
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(type))
                .withMessage("Type has no bytes: struct=Empty");
    }

    @Test
    void write_ofAnUnknownConstant_namesRowAndMember() {
        MemorySegment rows = orders(order(1, 1, "AB"), order(1, 2, "AB"));
        assertThatIllegalArgumentException().isThrownBy(() -> written(ArrowIpc.stream(ORDER).withBatchRows(1), rows))
                .withMessage("Value cannot be converted: row=1, field=side, reason=not a constant of the enum:"
                        + " enum=Side, value=2");
    }

    @Test
    void write_ofMalformedText_namesRowAndMember() {
        MemorySegment rows = orders(order(1, 1, "AB"), order(1, 1, "AB"), order(1, 1, "AB"));
        rows.set(JAVA_BYTE, 2 * ORDER.byteSize() + 13, (byte) 0xff);
        assertThatIllegalArgumentException().isThrownBy(() -> written(ArrowIpc.stream(ORDER), rows))
                .withMessage("Value cannot be converted: row=2, field=part.note, reason=not a text in UTF-8:"
                        + " bytes=ff79");
    }

    @Test
    void writer_afterAFailedWrite_writesNoEnd() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ArrowWriter writer = ArrowIpc.file(ORDER).withBatchRows(1).open(Channels.newChannel(bytes))) {
            writer.write(orders(order(1, 1, "AB"), order(2, 1, "AB")));
            assertThatIllegalArgumentException().isThrownBy(() -> writer.write(orders("x")));
            assertThatIllegalArgumentException().isThrownBy(() -> writer.write(orders(order(1, 2, "AB"))))
                    .withMessageContaining("row=2, field=side");
            assertThatIllegalStateException().isThrownBy(() -> writer.write(orders(order(1, 1, "AB"))))
                    .withMessage("Writer cannot write any more: state=FAILED");
            assertThatIllegalStateException().isThrownBy(writer::finish);
            assertThat(writer.rowCount()).isEqualTo(2);
        }
        assertThatThrownBy(() -> ArrowRows.ofFile(bytes.toByteArray())).isInstanceOf(RuntimeException.class);
    }

    @Test
    void close_beforeFinish_leavesAnIncompleteFile() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowWriter writer = ArrowIpc.file(ORDER).open(Channels.newChannel(bytes));
        writer.write(orders(order(1, 1, "AB")));
        writer.close();
        writer.close();
        assertThatIllegalStateException().isThrownBy(writer::finish)
                .withMessage("Writer cannot write any more: state=CLOSED");
        assertThatThrownBy(() -> ArrowRows.ofFile(bytes.toByteArray())).isInstanceOf(RuntimeException.class);
    }

    @Test
    void finish_afterFinish_isRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ArrowWriter writer = ArrowIpc.stream(ORDER).open(Channels.newChannel(bytes))) {
            writer.finish();
            assertThatIllegalStateException().isThrownBy(writer::finish);
            assertThatIllegalStateException().isThrownBy(() -> writer.write(orders()));
        }
        assertThat(ArrowRows.ofStream(bytes.toByteArray()).rows()).isEmpty();
    }

    @Test
    void write_ofBitFields_writesTheirBits() {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                enum Kind : uint8_t { A = 0, B = 2, OTHER = @otherwise, };
                struct Bits { bool set : 1; enum Kind kind : 2; int8_t small : 3; uint8_t high : 2; };
                """);
        MemorySegment rows = MemorySegment.ofArray(
                new byte[]{0, (byte) 0xff, 0b01_011_10_1, (byte) 0b10_100_01_0});
        assertThat(ArrowRows.ofStream(written(ArrowIpc.stream(type), rows)).rows()).containsExactly(
                List.of(false, "A", 0L, 0L), List.of(true, "OTHER", -1L, 3L), List.of(true, "B", 3L, 1L),
                List.of(false, "OTHER", -4L, 2L));
    }

    @Test
    void write_ofAUnionWithoutDiscriminator_hasNullWhereBytesAreNoValue() {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                struct Either { union { char text[2]; uint16_t number; } value; };
                """);
        MemorySegment rows = MemorySegment.ofArray(new byte[]{'a', 0, (byte) 0xff, 0, 'b', 'c'});
        List<List<@Nullable Object>> read = ArrowRows.ofStream(written(ArrowIpc.stream(type), rows)).rows();
        Map<String, @Nullable Object> malformed = new HashMap<>();
        malformed.put("text", null);
        malformed.put("number", 255L);
        assertThat(read).containsExactly(List.of(Map.of("text", "a", "number", 97L)), List.of(malformed),
                List.of(Map.of("text", "bc", "number", 0x6362L)));
    }

    @Test
    void withTextDictionaries_ofFewTexts_writesEachOnce() {
        ArrowIpc format = ArrowIpc.stream(ORDER).withBatchRows(2).withTextDictionaries("symbol", "part.note");
        ArrowRows read = ArrowRows.ofStream(
                written(format, orders(order(1, 1, "AB"), order(2, 1, "ABC"), order(3, 1, "AB"))));
        assertThat(read.rows()).extracting(row -> row.get(2)).containsExactly("AB", "ABC", "AB");
        assertThat(read.schema().getFields().get(2).getDictionary()).isNotNull();
    }

    @Test
    void write_ofEnumsAndTextsInArrays_writesPlainValues() {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                enum Side : uint8_t { BUY = 7, SELL = 1, OTHER = @otherwise, };
                struct Orders {
                    struct { enum Side side; char name[2]; } pair[2];
                    int8_t n;
                    enum Side sides[3] @count(n);
                    union @switch(n) { enum Side one @case(1); enum Side two[2] @case(2); } either;
                };
                """);
        MemorySegment rows = MemorySegment.ofArray(
                new byte[]{7, 'A', 'B', 2, 'C', 0, 1, 1, 0, 0, 7, 0, 1, 0, 0, 7, 'A', 'B', 2, 7, 1, 0, 1, 7});
        ArrowRows read = ArrowRows.ofStream(
                written(ArrowIpc.stream(type).withTextDictionaries("pair.name"), rows));
        assertThat(read.rows().getFirst().subList(0, 3)).isEqualTo(List.of(
                List.of(Map.of("side", "BUY", "name", "AB"), Map.of("side", "OTHER", "name", "C")), 1L,
                List.of("SELL")));
        Map<String, @Nullable Object> either = new HashMap<>();
        either.put("one", null);
        either.put("two", List.of("SELL", "BUY"));
        assertThat(read.rows().get(1)).isEqualTo(List.of(
                List.of(Map.of("side", "SELL", "name", ""), Map.of("side", "BUY", "name", "AB")), 2L,
                List.of("BUY", "SELL"), either));
        assertThat(dictionaries(read.schema().getFields())).containsExactly("one");
    }

    private static List<String> dictionaries(List<Field> fields) {
        return fields.stream()
                .flatMap(field -> field.getDictionary() == null
                        ? dictionaries(field.getChildren()).stream()
                        : Stream.of(field.getName()))
                .toList();
    }

    @Test
    void withTextDictionaries_ofTooManyTexts_isRefused() {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct S { char text[8]; };");
        MemorySegment rows = MemorySegment.ofArray(new long[65537]);
        for (int i = 0; i < 65537; i++) {
            MemorySegment.copy(MemorySegment.ofArray(Integer.toString(i).getBytes(UTF_8)), 0, rows, 8L * i,
                    Integer.toString(i).length());
        }
        ArrowIpc format = ArrowIpc.stream(type).withTextDictionaries("text");
        assertThatIllegalArgumentException().isThrownBy(() -> written(format, rows))
                .withMessage("Value cannot be converted: row=65536, field=text, reason=too many texts for a"
                        + " dictionary: limit=65536, limit in bytes=67108864; send the member as text");
        assertThat(ArrowRows.ofStream(written(format, rows.asSlice(0, 8 * 65536))).rows()).hasSize(65536);
    }

    @Test
    void withTextDictionaries_ofOtherMembers_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArrowIpc.stream(ORDER).withTextDictionaries("symbol", "side"))
                .withMessage("Struct has no such member with text: struct=Order, members=side");
    }

    @Test
    void open_withTextDictionaries_isRefused() {
        ArrowIpc format = ArrowIpc.stream(ORDER).withTextDictionaries("symbol");
        assertThatThrownBy(() -> format.open(Channels.newChannel(new ByteArrayOutputStream())))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("members=symbol");
    }

    @Test
    void withBatchRows_ofNone_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(ORDER).withBatchRows(0));
    }

    /// A struct with 2 to the power of a number of values, whose text grows by one line for each doubling.
    private static StructType doubled(int times) {
        StructType type = StructType.builder("L0").add("x", ValueType.of(byte.class)).build();
        for (int i = 1; i <= times; i++) {
            type = StructType.builder("L" + i).add("a", type).add("b", type).build();
        }
        return type;
    }

    @Test
    void stream_ofTooManyColumns_isRefusedWithBothNumbers() {
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(doubled(16)))
                .withMessageContaining("type=L16, columns=65536, largest=4096");
        // The columns are not made before they are counted.
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(doubled(40)))
                .withMessageContaining("columns=2147483647, largest=4096");
    }

    @Test
    void stream_ofAsManyColumnsAsPossible_isMade() {
        assertThat(ArrowIpc.stream(doubled(12))).isNotNull();
    }

    record Quote(long id, @Length(9) String symbol, int quantity) {}

    @Test
    void write_tableOfColumns_hasTheBytesOfItsRows() throws IOException {
        ColumnMapper<Quote> mapper = ColumnMapper.of(MethodHandles.lookup(), Quote.class);
        RecordMapper<Quote> rows = RecordMapper.of(MethodHandles.lookup(), Quote.class);
        try (Arena arena = Arena.ofConfined()) {
            ColumnTable<Quote> table = mapper.create(arena, 10_000);
            MemorySegment structs = rows.allocate(arena, 10_000);
            assertThat(written(ArrowIpc.stream(mapper.type()), table.segment()))
                    .isEqualTo(written(ArrowIpc.stream(rows.type()), structs.asSlice(0, 0)));
            for (int i = 0; i < 10_000; i++) {
                Quote quote = new Quote(i, "S" + i, -i);
                table.append(quote);
                rows.setAtIndex(structs, i, quote);
            }
            assertThat(written(ArrowIpc.stream(mapper.type()).withBatchRows(3_000), table.segment()))
                    .isEqualTo(written(ArrowIpc.stream(rows.type()).withBatchRows(3_000), structs));
        }
    }

    @Test
    void write_toAChannelThatAcceptsFewBytes_writesAll() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowIpc.file(ORDER).withBatchRows(2).write(new SmallChannel(bytes, Integer.MAX_VALUE), ROWS);
        assertThat(bytes.toByteArray()).isEqualTo(written(ArrowIpc.file(ORDER).withBatchRows(2), ROWS));
    }

    @Test
    @Tag("full")
    void write_toAChannelThatFails_throwsItsException() throws IOException {
        int byteSize = written(ArrowIpc.file(ORDER).withBatchRows(2), ROWS).length;
        for (int limit = 0; limit < byteSize; limit += 7) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            WritableByteChannel channel = new SmallChannel(bytes, limit);
            assertThatIOException().isThrownBy(() -> ArrowIpc.file(ORDER).withBatchRows(2).write(channel, ROWS))
                    .withMessage("disk is full");
            assertThat(bytes.toByteArray())
                    .isEqualTo(Arrays.copyOf(written(ArrowIpc.file(ORDER).withBatchRows(2), ROWS), limit));
        }
    }

    @Test
    void close_afterTheChannelHasFailed_writesNothing() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int begin = written(ArrowIpc.stream(ORDER).withBatchRows(2), ROWS).length / 2;
        try (ArrowWriter writer = ArrowIpc.stream(ORDER).withBatchRows(1).open(new SmallChannel(bytes, begin))) {
            assertThatIOException().isThrownBy(() -> writer.write(ROWS));
        }
        assertThat(bytes.size()).isEqualTo(begin);
    }

    @Test
    void write_toANonBlockingChannel_isRefused() throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink(); Pipe.SourceChannel _ = pipe.source()) {
            sink.configureBlocking(false);
            assertThatThrownBy(() -> ArrowIpc.write(sink, ORDER, ROWS))
                    .isInstanceOf(IllegalBlockingModeException.class);
        }
    }

    @Test
    void write_ofBodies_beginsAtMultiplesOf64() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(written(ArrowIpc.file(ORDER).withBatchRows(2), ROWS));
        int footerByteSize = Integer.reverseBytes(file.getInt(file.limit() - 10));
        Footer footer = Footer.getRootAsFooter(file.slice(file.limit() - 10 - footerByteSize, footerByteSize));
        assertThat(footer.recordBatchesLength()).isEqualTo(3);
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            long body = footer.recordBatches(i).offset() + footer.recordBatches(i).metaDataLength();
            assertThat(body % 64).isZero();
        }
    }

    @Test
    void write_toAChannelThatIsRefusedByTheType_writesNothing() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.write(Channels.newChannel(bytes), ORDER,
                ROWS.asSlice(1)));
        assertThat(bytes.size()).isZero();
    }

    /// Accepts at most 3 bytes at a time, and fails at a limit.
    private static final class SmallChannel implements WritableByteChannel {
        private final ByteArrayOutputStream bytes;
        private final int limit;

        SmallChannel(ByteArrayOutputStream bytes, int limit) {
            this.bytes = bytes;
            this.limit = limit;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (bytes.size() == limit) {
                throw new IOException("disk is full");
            }
            int count = Math.min(from.remaining(), Math.min(3, limit - bytes.size()));
            for (int i = 0; i < count; i++) {
                bytes.write(from.get());
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /// All batches have the same memory, whose buffers the channel gets one by one.
    @Test
    void write_ofStructsOfMoreThanAMebibyte_needsTheMemoryOfABatch() throws IOException {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                struct Large { int32_t count; int32_t numbers[100000] @count(count); int8_t bytes[1048576]; };
                """);
        int count = 100;
        MemorySegment structs = MemorySegment.ofArray(new byte[Math.toIntExact(count * type.byteSize())]);
        for (int i = 0; i < count; i++) {
            structs.set(JAVA_INT_UNALIGNED, i * type.byteSize(), 100_000);
        }
        List<Integer> written = new ArrayList<>();
        ArrowIpc.write(new WritableByteChannel() {
            @Override
            public int write(ByteBuffer bytes) {
                written.add(bytes.remaining());
                bytes.position(bytes.limit());
                return written.getLast();
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        }, type, structs);
        assertThat(written).allMatch(byteSize -> byteSize <= 1 << 26);
        assertThat(written.stream().mapToLong(byteSize -> byteSize).sum()).isGreaterThan(structs.byteSize());
    }
}
