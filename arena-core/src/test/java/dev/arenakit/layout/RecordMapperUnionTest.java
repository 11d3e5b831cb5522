package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperUnionTest {
    sealed interface Body permits None, Short1, Long1, Raw {}

    record None() implements Body {}

    @Value(10)
    record Short1(short value) implements Body {}

    @Value(255)
    record Long1(long first, long second) implements Body {}

    @Otherwise
    record Raw(@Length(4) byte[] bytes) implements Body {}

    record Message(@Unsigned(1) int kind, int length, @Union("kind") Body body) {}

    private static final RecordMapper<Message> MESSAGES = RecordMapper.of(Message.class);

    private static final List<String> CALLS = new ArrayList<>();

    record Twenty(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n,
            int o,
            int p, int q, int r, int s, int t) {
        static final Twenty ZERO = new Twenty(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    record Small(short value) {
        @Override
        public short value() {
            CALLS.add("value");
            return value;
        }
    }

    record VeryLarge(Twenty first, @Unsigned(1) int kind, Twenty second, @Union("kind") Body body, Twenty third,
            int count,
            @Length(value = 3, counted = "count") Small[] values) {
        @Override
        public Body body() {
            CALLS.add("body");
            return body;
        }

        @Override
        public Small[] values() {
            CALLS.add("values");
            return values;
        }
    }

    @Test
    void set_veryLargeRecord_callsEachAccessorOnceAndStillChecks() {
        RecordMapper<VeryLarge> mapper = RecordMapper.of(VeryLarge.class);
        MemorySegment segment = mapper.allocate(Arena.ofAuto(), 1);
        Small[] values = {new Small((short) 3), new Small((short) 4)};
        CALLS.clear();
        mapper.setAtIndex(segment, 0,
                new VeryLarge(Twenty.ZERO, 10, Twenty.ZERO, new Short1((short) 5), Twenty.ZERO, 2, values));

        assertThat(CALLS).containsExactlyInAnyOrder("body", "values", "value", "value");
        assertThat(mapper.getAtIndex(segment, 0).values()).containsExactly(values);
        byte[] before = segment.toArray(ValueLayout.JAVA_BYTE);
        assertRefused(() -> mapper.setAtIndex(segment, 0,
                new VeryLarge(Twenty.ZERO, 10, Twenty.ZERO, new Short1((short) 6), Twenty.ZERO, 1, values)),
                "length=2, count=1");
        assertRefused(() -> mapper.setAtIndex(segment, 0,
                new VeryLarge(Twenty.ZERO, 255, Twenty.ZERO, new Short1((short) 6), Twenty.ZERO, 2, values)),
                "component=body");
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
    }

    sealed interface Answer permits Yes, No {}

    @Value({1, 200})
    record Yes(short value) implements Answer {}

    @Value(7)
    record No() implements Answer {}

    record Reply(@Unsigned(1) int kind, @Union("kind") Answer answer) {}

    @Test
    void access_recordForSeveralValues_keepsTheValueOfTheDiscriminator() {
        RecordMapper<Reply> replies = RecordMapper.of(Reply.class);
        MemorySegment segment = replies.allocate(Arena.ofAuto());
        for (Reply reply : List.of(new Reply(1, new Yes((short) 3)), new Reply(200, new Yes((short) 4)),
                new Reply(7, new No()))) {
            replies.set(segment, reply);
            assertThat(replies.get(segment)).isEqualTo(reply);
        }
        assertRefused(() -> replies.set(segment, new Reply(7, new Yes((short) 3))),
                "component=answer, value=7, expected=one of [1, 200]");
        assertRefused(() -> replies.set(segment, new Reply(200, new No())), "component=answer, value=200, expected=7");
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
        assertRefused(() -> replies.get(segment), "component=answer, value=2, known=[1, 200, 7]");
    }

    @Test
    void access_shortSegmentOfARecordForSeveralValues_succeeds() {
        RecordMapper<Reply> replies = RecordMapper.of(Reply.class);
        MemorySegment cut = Arena.ofAuto().allocate(replies.byteSize(), 8).asSlice(0, 2);
        replies.set(cut, new Reply(7, new No()));
        assertThat(replies.get(cut)).isEqualTo(new Reply(7, new No()));
        cut.set(ValueLayout.JAVA_BYTE, 0, (byte) 200);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> replies.get(cut));
    }

    @Test
    void get_unknownDiscriminator_isTheOtherRecordWithItsBytes() {
        MemorySegment segment = MemorySegment.ofArray(new long[3]);
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 99);
        segment.set(ValueLayout.JAVA_INT, 8, 0x01020304);

        Message read = MESSAGES.getAtIndex(segment, 0);

        assertThat(read.kind()).isEqualTo(99);
        assertThat(((Raw) read.body()).bytes()).containsExactly(4, 3, 2, 1);
        MemorySegment copy = MemorySegment.ofArray(new long[3]);
        MESSAGES.setAtIndex(copy, 0, read);
        assertThat(copy.mismatch(segment)).isEqualTo(-1);
    }

    @Test
    void set_otherRecordWithAKnownDiscriminator_isRefused() {
        MemorySegment segment = MemorySegment.ofArray(new long[3]);

        assertRefused(() -> MESSAGES.setAtIndex(segment, 0, new Message(255, 0, new Raw(new byte[4]))),
                "component=body, value=255, expected=none of [0, 10, 255]");
        assertThat(segment.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
    }

    @Test
    void type_ofAUnionWithOthers_hasThemLast() {
        UnionType union = (UnionType) MESSAGES.type().member("body").orElseThrow().type();

        assertThat(union.discriminator().orElseThrow().otherwise()).contains("raw");
        assertThat(union.members().getFirst().type().byteSize()).isZero();
        assertThat(union.members().getLast().name()).isEqualTo("raw");
    }

    @Test
    void access_segmentEndsBehindTheValidRecord_succeeds() {
        Message none = new Message(0, 1, new None());
        Message small = new Message(10, 2, new Short1((short) 3));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(MESSAGES.byteSize() + 10, 8);
            segment.fill((byte) 0x5a);

            MESSAGES.setAtIndex(segment, 0, new Message(255, 9, new Long1(1, 2)));
            MESSAGES.setAtIndex(segment, 1, small);
            assertThat(MESSAGES.getAtIndex(segment, 1)).isEqualTo(small);
            assertThat(MESSAGES.get(segment, MESSAGES.byteSize())).isEqualTo(small);
            MESSAGES.set(segment.asSlice(0, MESSAGES.byteSize() + 8), MESSAGES.byteSize(), none);
            assertThat(MESSAGES.get(segment.asSlice(MESSAGES.byteSize(), 8), 0)).isEqualTo(none);
            assertThat(segment.get(ValueLayout.JAVA_BYTE, MESSAGES.byteSize() + 1)).isEqualTo((byte) 0x5a);
        }
    }

    @Test
    void access_segmentEndsInTheValidRecord_isRefused() {
        MemorySegment segment = MemorySegment.ofArray(new long[2]);

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> MESSAGES.setAtIndex(segment, 0, new Message(255, 1, new Long1(1, 2))))
                .withMessageContaining("Struct is not within the segment: index=0, layout=Message");
        assertThat(segment.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) -1);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> MESSAGES.getAtIndex(segment, 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> MESSAGES.get(segment.asSlice(0, 4), 0));
        assertRefused(() -> MESSAGES.setAtIndex(segment.asReadOnly(), 0, new Message(0, 1, new None())), "read-only");
    }

    enum Side {
        BUY, @Otherwise
        UNKNOWN, SELL
    }

    record Order(Side side, @Bits(2) Side bits) {}

    @Test
    void get_unknownValueOfAnEnum_isTheOtherConstantWhichCannotBeWritten() {
        RecordMapper<Order> mapper = RecordMapper.of(Order.class);
        MemorySegment segment = MemorySegment.ofArray(new int[]{17, 3});

        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Order(Side.UNKNOWN, Side.UNKNOWN));
        assertRefused(() -> mapper.setAtIndex(segment, 0, new Order(Side.SELL, Side.UNKNOWN)),
                "component=bits, constant=UNKNOWN; @Otherwise");
        mapper.setAtIndex(segment, 0, new Order(Side.SELL, Side.BUY));
        assertThat(segment.get(ValueLayout.JAVA_INT, 0)).isEqualTo(2);
    }

    @ByteSize(1)
    enum Kind {
        @Value(200)
        HIGH, @Value(3)
        LOW, @Otherwise
        OTHER
    }

    sealed interface OfKind permits High, Low, Other {}

    record High(int x) implements OfKind {}

    record Low(int y) implements OfKind {}

    @Otherwise
    record Other(int z) implements OfKind {}

    record Direct(Kind kind, @Union("kind") OfKind body) {}

    record Header(short length, Kind kind) {}

    record Nested(Header header, @Union("header.kind") OfKind body) {}

    record Eight(long a, long b, long c, long d, long e, long f, long g, long h) {}

    record Large(Eight a, Eight b, Eight c, Eight d, Header header, @Union("header.kind") OfKind body) {}

    record OfBits(@Bits(8) @Unsigned(1) byte kind, @Union("kind") Body body) {}

    private static final Eight EIGHT = new Eight(1, 2, 3, 4, 5, 6, 7, 8);

    static List<Record> ofUnsignedValues() {
        Header header = new Header((short) 1, Kind.HIGH);
        return List.of(new OfBits((byte) 255, new Long1(1, 2)), new Direct(Kind.HIGH, new High(1)),
                new Direct(Kind.LOW, new Low(1)),
                new Nested(header, new High(1)), new Large(EIGHT, EIGHT, EIGHT, EIGHT, header, new High(1)));
    }

    @ParameterizedTest
    @MethodSource("ofUnsignedValues")
    <R extends Record> void set_discriminatorHasUnsignedValues_readsTheRecordBack(R record) {
        @SuppressWarnings("unchecked")
        RecordMapper<R> mapper = RecordMapper.of((Class<R>) record.getClass());
        MemorySegment segment = MemorySegment.ofArray(new long[40]);

        mapper.setAtIndex(segment, 0, record);

        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(record);
    }

    sealed interface TwoOthers permits OneOther, OtherOther {}

    @Otherwise
    record OneOther(int x) implements TwoOthers {}

    @Otherwise
    record OtherOther(int x) implements TwoOthers {}

    record OfTwoOthers(int kind, @Union("kind") TwoOthers body) {}

    enum ValuedOther {
        @Otherwise
        @Value(3)
        A
    }

    record OfValuedOther(ValuedOther value) {}

    @Otherwise
    record NoVariant(int x) {}

    record OfText(@Length(3) String kind, @Union("kind") Body body) {}

    @Test
    void of_contradictoryOthers_isRefused() {
        assertRefused(() -> RecordMapper.of(OfTwoOthers.class), "@Otherwise does not apply", "another record has it");
        assertRefused(() -> RecordMapper.of(OfValuedOther.class), "or its @Value");
        assertRefused(() -> RecordMapper.of(NoVariant.class), "@Otherwise does not apply");
        assertRefused(() -> RecordMapper.of(OfText.class), "cannot be a discriminator");
    }
}
