package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperIntegerTest {
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
            assertThatIllegalArgumentException().isThrownBy(() -> PACKETS.setAtIndex(segment, 0, packet))
                    .withMessageContaining("Value does not fit: class=" + Packet.class.getName() + ", component=");
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
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(CountedText.class))
                .withMessageContaining("Length of text is not counted by another component: class="
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
}
