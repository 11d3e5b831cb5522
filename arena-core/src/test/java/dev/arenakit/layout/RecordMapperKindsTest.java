package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Encoding.Kind;
import dev.arenakit.layout.annotation.Encoding.Padding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperKindsTest {
    record Packet(@Unsigned(2) int port, @Unsigned(6) long nanos, @Bits(3) int small, @Bits(5) @Unsigned(1) int bits,
            @Length(2) @Unsigned(1) int[] bytes) {}

    private static final RecordMapper<Packet> PACKETS = RecordMapper.of(Packet.class);

    private static Packet packet(int port, long nanos, int small, int bits, int last) {
        return new Packet(port, nanos, small, bits, new int[]{0, last});
    }

    @Test
    void set_largestAndSmallestValues_areReadBack() {
        MemorySegment segment = MemorySegment.ofArray(new long[4]);

        for (Packet packet : new Packet[]{packet(65_535, (1L << 48) - 1, 3, 31, 255), packet(0, 0, -4, 0, 0)}) {
            PACKETS.setAtIndex(segment, 0, packet);
            assertThat(PACKETS.getAtIndex(segment, 0)).matches(read -> RandomRecords.equal(read, packet));
        }
    }

    @Test
    void set_valuesThatDoNotFit_areRefusedAndNothingIsWritten() {
        MemorySegment segment = MemorySegment.ofArray(new long[4]);

        for (Packet packet : new Packet[]{packet(65_536, 0, 0, 0, 0), packet(-1, 0, 0, 0, 0),
                packet(1, 1L << 48, 0, 0, 0), packet(1, -1, 0, 0, 0), packet(1, 1, 4, 0, 0), packet(1, 1, -5, 0, 0),
                packet(1, 1, 1, 32, 0), packet(1, 1, 1, -1, 0), packet(1, 1, 1, 1, 256), packet(1, 1, 1, 1, -1)}) {
            assertRefused(() -> PACKETS.setAtIndex(segment, 0, packet),
                    "Value does not fit: class=" + Packet.class.getName() + ", component=");
        }
        assertThat(segment.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
    }

    record Patterns(@Bits(64) @Unsigned(8) long a, @Bits(8) @Unsigned(1) byte b, @Bits(32) @Unsigned(4) int c) {}

    @Test
    void set_unsignedBitsOfTheWidthInJava_areABitPattern() {
        RecordMapper<Patterns> mapper = RecordMapper.of(Patterns.class);
        MemorySegment segment = MemorySegment.ofArray(new long[2]);

        for (Patterns patterns : new Patterns[]{new Patterns(-1, (byte) -1, -1), new Patterns(0, (byte) 0, 0),
                new Patterns(Long.MIN_VALUE, Byte.MIN_VALUE, Integer.MIN_VALUE)}) {
            mapper.setAtIndex(segment, 0, patterns);
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(patterns);
        }
    }

    record Counted(@Unsigned(1) int n, @Length(value = 3, counted = "n") long[] values) {}

    @Test
    void set_countedArray_writesItsElementsAlone() {
        RecordMapper<Counted> mapper = RecordMapper.of(Counted.class);
        MemorySegment segment = MemorySegment.ofArray(new long[4]).fill((byte) -1);

        mapper.setAtIndex(segment, 0, new Counted(2, new long[]{5, 6}));

        assertThat(segment.asSlice(8).toArray(ValueLayout.JAVA_LONG)).containsExactly(5, 6, -1);
        assertThat(mapper.getAtIndex(segment, 0).values()).containsExactly(5, 6);
        assertRefused(() -> mapper.setAtIndex(segment, 0, new Counted(1, new long[2])),
                "component=values, length=2, count=1");
        assertRefused(() -> mapper.setAtIndex(segment, 0, new Counted(4, new long[4])),
                "component=values, length=4, largest=3");
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 4);
        assertRefused(() -> mapper.getAtIndex(segment, 0), "component=values, count=4, length=3");
    }

    record Eight(long a, long b, long c, long d, long e, long f, long g, long h) {}

    record LargeCounted(Eight a, Eight b, Eight c, Eight d, @Unsigned(1) int n,
            @Length(value = 3, counted = "n") long[] values) {}

    record CountedArray(@Length(2) Counted[] elements) {}

    @Test
    void set_countedArrayInALargeRecordOrAnArray_writesItsElementsAlone() {
        MemorySegment segment = MemorySegment.ofArray(new long[36]).fill((byte) 0x55);
        Eight eight = new Eight(1, 2, 3, 4, 5, 6, 7, 8);
        RecordMapper.of(LargeCounted.class)
                .setAtIndex(segment, 0, new LargeCounted(eight, eight, eight, eight, 2, new long[]{5, 6}));
        assertThat(segment.asSlice(33 * 8).toArray(ValueLayout.JAVA_LONG))
                .containsExactly(5, 6, 0x5555555555555555L);

        segment.fill((byte) 0x55);
        RecordMapper.of(CountedArray.class)
                .setAtIndex(segment, 0, new CountedArray(new Counted[]{new Counted(2, new long[]{5, 6}),
                        new Counted(0, new long[0])}));
        assertThat(segment.asSlice(8, 24).toArray(ValueLayout.JAVA_LONG))
                .containsExactly(5, 6, 0x5555555555555555L);
        assertThat(segment.asSlice(40, 24).toArray(ValueLayout.JAVA_LONG)).containsOnly(0x5555555555555555L);
    }

    record TooWide(@Unsigned(5) int x) {}

    record NoInteger(@Unsigned(2) float x) {}

    record TooManyBits(@Bits(33) int x) {}

    record BitsOfFloat(@Bits(3) double x) {}

    record AlignedBits(@Bits(3) @Align(4) int x) {}

    record CountedByText(@Length(2) String n, @Length(value = 3, counted = "n") long[] values) {}

    record CountedByNothing(@Length(value = 3, counted = "n") long[] values) {}

    record CountedText(int n, @Length(value = 3, counted = "n") String text) {}

    @Test
    void of_countThatDoesNotFit_saysSoOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(CountedByNothing.class))
                .withMessage("@Length names no component of the class: class=" + CountedByNothing.class.getName()
                        + ", component=values, type=long[]; there is no \"n\"");
        assertRefused(() -> RecordMapper.of(CountedText.class),
                "Length of text is not counted by another component: class="
                        + CountedText.class.getName() + ", component=text, type=java.lang.String; @Encoding(");
    }

    record OneLengthForText(@Length(value = 3) String[] values) {}

    @Test
    void of_annotationsThatDoNotFit_isRefused() {
        for (Class<?> type : new Class<?>[]{TooWide.class, NoInteger.class, TooManyBits.class, BitsOfFloat.class,
                AlignedBits.class, CountedByText.class, CountedByNothing.class, OneLengthForText.class}) {
            assertThatIllegalArgumentException().as(type.getName())
                    .isThrownBy(() -> RecordMapper.of(type))
                    .withMessageContaining("class=" + type.getName() + ", component=");
        }
    }

    /// Bit fields with bits between them that belong to no member, in units of 1, 2 and 4 bytes, and beside a member.
    record Holes(@Bits(3) int a, @Bits(6) int b, @Bits(1) boolean c, byte d, @Bits(5) short e, long f, @Bits(9) int g,
            @Bits(30) int h, @Bits(40) long i) {}

    @ParameterizedTest
    @EnumSource(Order.Endian.class)
    void set_bitFields_changesNoOtherBit(Order.Endian endian) {
        RecordMapper<Holes> mapper = RecordMapper.of(Holes.class,
                RecordMapper.of(Holes.class).type().withOrder(endian.order()));
        Holes zeros = new Holes(0, 0, false, (byte) 0, (short) 0, 0, 0, 0, 0);
        Holes ones = new Holes(-1, -1, true, (byte) -1, (short) -1, -1, -1, -1, -1);
        MemorySegment segment = MemorySegment.ofArray(new long[(int) mapper.byteSize() / Long.BYTES]);

        mapper.set(segment, 0, ones);
        assertThat(mapper.get(segment, 0)).isEqualTo(ones);
        assertThat(bitCount(segment)).isEqualTo(3 + 6 + 1 + 8 + 5 + 64 + 9 + 30 + 40);
        mapper.set(segment, 0, zeros);
        assertThat(bitCount(segment)).isZero();
        segment.fill((byte) -1);
        mapper.set(segment, 0, zeros);
        assertThat(mapper.get(segment, 0)).isEqualTo(zeros);
        assertThat(bitCount(segment)).isEqualTo(Byte.SIZE * mapper.byteSize() - (3 + 6 + 1 + 8 + 5 + 64 + 9 + 30 + 40));
    }

    private static long bitCount(MemorySegment segment) {
        return Arrays.stream(segment.toArray(ValueLayout.JAVA_LONG)).map(Long::bitCount).sum();
    }

    @Packed
    record Cut(@Length(4) @Encoding(truncate = true) String a,
            @Length(3) @Encoding(value = Kind.UTF_16, truncate = true) String b,
            @Length(4) @Encoding(padding = Padding.SPACE, truncate = true) String c,
            @Length(4) @Encoding(prefix = 1, truncate = true) String d) {}

    @Test
    void set_textThatIsTooLong_isCutAfterACharacter() {
        RecordMapper<Cut> mapper = RecordMapper.of(Cut.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[(int) mapper.byteSize()]);

        for (List<String> texts : List.of(List.of("abcde", "abcd"), List.of("abc€", "abc"),
                List.of("ab€", "ab"), List.of("a€b", "a€"), List.of("abcä", "abc"), List.of("😀x", "😀"),
                List.of("a😀", "a"), List.of("aäb😀", "aäb"))) {
            String long1 = texts.get(0);
            String cut = texts.get(1);
            mapper.setAtIndex(segment, 0, new Cut(long1, "", long1, long1));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Cut(cut, "", cut, cut));
        }
        for (List<String> texts : List.of(List.of("abcd", "abc"), List.of("ab😀", "ab"), List.of("a😀", "a😀"),
                List.of("😀😀", "😀"))) {
            mapper.setAtIndex(segment, 0, new Cut("", texts.get(0), "", ""));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Cut("", texts.get(1), "", ""));
        }
    }

    record Padded(@Length(4) @Encoding(padding = Padding.SPACE) String a) {}

    @Test
    void set_paddedWithSpaces_endsBeforeThem() {
        RecordMapper<Padded> mapper = RecordMapper.of(Padded.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[4]);

        mapper.setAtIndex(segment, 0, new Padded(" b"));
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(" b  ".getBytes(StandardCharsets.UTF_8));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Padded(" b"));
        mapper.setAtIndex(segment, 0, new Padded(""));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Padded(""));
        assertRefused(() -> mapper.setAtIndex(segment, 0, new Padded("a ")), "ends with a space");
    }

    @Packed
    record Prefixed(@Length(5) @Encoding(prefix = 2) @Order(Order.Endian.BIG_ENDIAN) String a) {}

    @Test
    void set_prefixed_hasItsLengthAndMayContainNul() {
        RecordMapper<Prefixed> mapper = RecordMapper.of(Prefixed.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[7]).fill((byte) 9);

        mapper.setAtIndex(segment, 0, new Prefixed("a\0b"));

        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 3, 'a', 0, 'b', 0, 0);
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Prefixed("a\0b"));
        segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 6);
        assertRefused(() -> mapper.getAtIndex(segment, 0), "component=a, value=6, length=5");
    }

    record OfEight(@Length(8) @Encoding(truncate = true) String text) {}

    @Test
    void set_characterThatIsCutOff_isNotChecked() {
        RecordMapper<OfEight> mapper = RecordMapper.of(OfEight.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[8]);

        for (List<String> texts : List.of(List.of("abcdefgh\0", "abcdefgh"), List.of("ééééé\0", "éééé"),
                List.of("aaaaaaaa\ud800", "aaaaaaaa"), List.of("éééé\ud800", "éééé"),
                List.of("ééééa\ud800", "éééé"), List.of("éé?ééé\ud800", "éé?é"))) {
            mapper.setAtIndex(segment, 0, new OfEight(texts.get(0)));
            assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new OfEight(texts.get(1)));
        }
        for (String text : List.of("é\0ééééé", "\ud800ééééé", "ééé\ud800éé")) {
            assertThatIllegalArgumentException().isThrownBy(() -> mapper.setAtIndex(segment, 0, new OfEight(text)));
        }
    }

    enum Operator {
        PLUS {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        };

        abstract int apply(int a, int b);
    }

    record Program(Operator first, @Length(2) Operator[] rest) {}

    @Members({"first", "rest"})
    interface ProgramView {
        Operator first();

        @Length(2)
        Operator rest(long index);
    }

    @Test
    void set_arrayOfConstantsWithBodies_isReadBack() {
        RecordMapper<Program> mapper = RecordMapper.of(Program.class);
        MemorySegment segment = MemorySegment.ofArray(new int[3]);

        mapper.setAtIndex(segment, 0, new Program(Operator.MINUS, new Operator[]{Operator.PLUS, Operator.MINUS}));

        Program read = mapper.getAtIndex(segment, 0);
        assertThat(read.first().apply(5, 3)).isEqualTo(2);
        assertThat(read.rest()).containsExactly(Operator.PLUS, Operator.MINUS);
        assertThat(segment.toArray(ValueLayout.JAVA_INT)).containsExactly(1, 0, 1);
        ProgramView view = ViewMapper.of(ProgramView.class).viewAtIndex(segment, 0);
        assertThat(List.of(view.first(), view.rest(0), view.rest(1)))
                .containsExactly(Operator.MINUS, Operator.PLUS, Operator.MINUS);
    }

    enum State {
        @Value(-1)
        INVALID, NEW, OPEN, @Otherwise
        UNKNOWN, CLOSED, @Value(10)
        LOST, FOUND
    }

    record Session(State state) {}

    @Test
    void type_constantsWithoutValue_areCountedOnAsInC() {
        RecordMapper<Session> mapper = RecordMapper.of(Session.class);
        EnumType state = (EnumType) mapper.type().members().getFirst().type();
        assertThat(state.constants()).extracting(EnumType.Constant::value).containsExactly(-1L, 0L, 1L, 3L, 10L, 11L);
        StructType parsed = LayoutText.parse("""
                #pragma layout 2
                enum State { INVALID = -1, NEW, OPEN, UNKNOWN = @otherwise, CLOSED = 3, LOST = 10, FOUND, };
                struct Session { enum State state; };
                """);
        assertThat(mapper.type()).isEqualTo(parsed);

        MemorySegment segment = MemorySegment.ofArray(new int[]{-1, 0, 1, 3, 10, 11, 2});
        assertThat(IntStream.range(0, 7).mapToObj(i -> mapper.getAtIndex(segment, i).state())).containsExactly(
                State.INVALID, State.NEW, State.OPEN, State.CLOSED, State.LOST, State.FOUND, State.UNKNOWN);
        mapper.setAtIndex(segment, 0, new Session(State.FOUND));
        assertThat(segment.get(ValueLayout.JAVA_INT, 0)).isEqualTo(11);
    }

    enum Last {
        @Value(Long.MAX_VALUE)
        LARGEST, @Otherwise
        OTHER, NEXT
    }

    record OfLast(@ByteSize(8) Last last) {}

    @Test
    void of_constantAfterTheLargestLong_isRefused() {
        assertRefused(() -> RecordMapper.of(OfLast.class), "Constant exceeds a long",
                "constant=NEXT; add @Value to it");
    }

    enum Lowest {
        @Value(Long.MIN_VALUE)
        LOWEST, NEXT
    }

    record OfLowest(@ByteSize(8) Lowest lowest) {}

    @Test
    void type_constantAfterTheLowestLong_isTheNextOne() {
        EnumType lowest = (EnumType) RecordMapper.of(OfLowest.class).type().members().getFirst().type();
        assertThat(lowest.constants().getLast().value()).isEqualTo(Long.MIN_VALUE + 1);
    }

    enum Protocol {
        @Value(0x0800)
        IPV4, @Value(0x0806)
        ARP, @Value(0x86DD)
        IPV6, @Value(Integer.MIN_VALUE)
        LOWEST, @Value(0)
        NONE
    }

    record Frame(Protocol protocol) {}

    @Test
    void get_valuesFarFromEachOther_areFoundAndOthersRefused() {
        RecordMapper<Frame> mapper = RecordMapper.of(Frame.class);
        MemorySegment segment = MemorySegment.ofArray(new int[1]);

        for (Protocol protocol : Protocol.values()) {
            mapper.setAtIndex(segment, 0, new Frame(protocol));
            assertThat(mapper.getAtIndex(segment, 0).protocol()).isEqualTo(protocol);
        }
        segment.set(ValueLayout.JAVA_INT, 0, 0x0801);
        assertRefused(() -> mapper.getAtIndex(segment, 0),
                "component=protocol, value=2049, known=[2048, 2054, 34525, -2147483648, 0]");
    }
}
