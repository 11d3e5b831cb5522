package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The bytes that the methods of [SegmentAllocator] write. They are the same as with the JDK's arenas, even if the
/// arena overrides these methods.
interface ContentContract extends ArenaUnderTest {

    /// A call of one of those methods, and the alignment of its result.
    record Call(long byteAlignment, Function<SegmentAllocator, MemorySegment> method) {}

    @Test
    default void allocateFrom_strings_givesTheBytesOfTheJdk() {
        List<String> strings = List.of("", "a", "Hello World", "a\u0000b",
                "\u00e4\u00f6\u00fc\u00df \u20ac \ud83d\ude00",
                "x".repeat(1_000), "\u00e9".repeat(40_000));
        List<Charset> charsets = List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1,
                StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, StandardCharsets.UTF_32,
                StandardCharsets.UTF_32LE, StandardCharsets.UTF_32BE, Charset.forName("GBK"));
        List<Call> calls = new ArrayList<>();
        for (String string : strings) {
            calls.add(new Call(1, allocator -> allocator.allocateFrom(string)));
            for (Charset charset : charsets) {
                calls.add(new Call(1, allocator -> allocator.allocateFrom(string, charset)));
            }
        }
        assertSameAsJdk(calls);
        if (StringParts.arePresent()) {
            for (Charset charset : StringParts.CHARSETS) {
                assertSameAsJdk(callsForParts(charset));
            }
        }
    }

    private static List<Call> callsForParts(Charset charset) {
        List<Call> calls = new ArrayList<>();
        for (StringParts.Part part : StringParts.Part.all()) {
            calls.add(new Call(1, allocator -> StringParts.allocateFrom(allocator, part.string(), charset, part.index(),
                    part.length())));
            // Enough for the longest characters of each charset and a byte order mark.
            long byteSize = 3 + 4L * (part.string().length() + 1);
            calls.add(new Call(1, allocator -> {
                MemorySegment segment = allocator.allocate(byteSize).fill((byte) 0x7f);
                segment.set(ValueLayout.JAVA_BYTE, 0,
                        (byte) StringParts.copy(part.string(), charset, part.index(), segment, 3, part.length()));
                return segment;
            }));
            calls.add(new Call(1, allocator -> {
                MemorySegment segment = allocator.allocate(3).fill((byte) 0x7f);
                StringParts.copy(part.string(), charset, part.index(), segment, 1, part.length());
                return segment;
            }));
        }
        for (String string : StringParts.STRINGS) {
            byte[] bytes = string.getBytes(charset);
            for (long byteSize : new long[]{0, 1, bytes.length - 3, bytes.length - 2, bytes.length, -1}) {
                calls.add(new Call(1, allocator -> MemorySegment.ofArray(StringParts.getString(
                        allocator.allocateFrom(ValueLayout.JAVA_BYTE, bytes), 2, charset, byteSize).toCharArray())));
            }
        }
        return calls;
    }

    @Test
    default void allocateFrom_values_givesTheBytesOfTheJdk() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            assertSameAsJdk(List.of(
                    new Call(1, a -> a.allocateFrom(ValueLayout.JAVA_BYTE.withOrder(order), (byte) 0x12)),
                    new Call(2, a -> a.allocateFrom(ValueLayout.JAVA_SHORT.withOrder(order), (short) 0x1234)),
                    new Call(2, a -> a.allocateFrom(ValueLayout.JAVA_CHAR.withOrder(order), '\u20ac')),
                    new Call(4, a -> a.allocateFrom(ValueLayout.JAVA_INT.withOrder(order), 0x12345678)),
                    new Call(4, a -> a.allocateFrom(ValueLayout.JAVA_FLOAT.withOrder(order), 1.5f)),
                    new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_LONG.withOrder(order), 0x123456789abcdef0L)),
                    new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_DOUBLE.withOrder(order), Math.PI)),
                    new Call(8, a -> a.allocateFrom(ValueLayout.ADDRESS.withOrder(order),
                            MemorySegment.ofAddress(0x1234)))));
        }
    }

    @Test
    default void allocateFrom_arrays_givesTheBytesOfTheJdk() {
        for (int length : new int[]{0, 1, 3, 20_000}) {
            short[] shorts = new short[length];
            char[] chars = new char[length];
            int[] ints = new int[length];
            float[] floats = new float[length];
            long[] longs = new long[length];
            double[] doubles = new double[length];
            for (int i = 0; i < length; i++) {
                shorts[i] = (short) (i + 0x1234);
                chars[i] = (char) (i + 0x20ac);
                ints[i] = i * 0x1234567;
                floats[i] = i + 0.1f;
                longs[i] = i * 0x123456789abcdefL;
                doubles[i] = i + 0.1;
            }
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                assertSameAsJdk(List.of(
                        new Call(1, a -> a.allocateFrom(ValueLayout.JAVA_BYTE.withOrder(order), bytes(length))),
                        new Call(2, a -> a.allocateFrom(ValueLayout.JAVA_SHORT.withOrder(order), shorts)),
                        new Call(2, a -> a.allocateFrom(ValueLayout.JAVA_CHAR.withOrder(order), chars)),
                        new Call(4, a -> a.allocateFrom(ValueLayout.JAVA_INT.withOrder(order), ints)),
                        new Call(4, a -> a.allocateFrom(ValueLayout.JAVA_FLOAT.withOrder(order), floats)),
                        new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_LONG.withOrder(order), longs)),
                        new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_DOUBLE.withOrder(order), doubles))));
            }
        }
    }

    @Test
    default void allocateFrom_elementsOfASegment_givesTheBytesOfTheJdk() {
        MemorySegment source = MemorySegment.ofArray(bytes(32));
        ValueLayout.OfInt bigInt = ValueLayout.JAVA_INT.withByteAlignment(1).withOrder(ByteOrder.BIG_ENDIAN);
        ValueLayout.OfInt littleInt = bigInt.withOrder(ByteOrder.LITTLE_ENDIAN);
        ValueLayout.OfLong unaligned = ValueLayout.JAVA_LONG_UNALIGNED;
        assertSameAsJdk(List.of(
                new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_LONG, source, unaligned, 8, 3)),
                new Call(4, a -> a.allocateFrom(ValueLayout.JAVA_INT, source, littleInt, 4, 7)),
                new Call(1, a -> a.allocateFrom(bigInt, source, littleInt, 3, 7)),
                new Call(1, a -> a.allocateFrom(ValueLayout.JAVA_BYTE, source, ValueLayout.JAVA_BYTE, 1, 31)),
                new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_LONG, source, unaligned, 32, 0)),
                new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_LONG, source, unaligned, 8, 4)),
                new Call(8, a -> a.allocateFrom(ValueLayout.JAVA_INT, source, unaligned, 0, 1))));
    }

    @Test
    default void allocate_byLayout_hasTheSizeAndAlignmentOfTheLayout() {
        MemoryLayout struct = MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
                MemoryLayout.paddingLayout(4));
        MemoryLayout line = MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_LONG)
                .withByteAlignment(Math.min(64, capabilities().largestAlignment()));
        try (Arena arena = open()) {
            for (MemoryLayout layout : List.of(ValueLayout.JAVA_BYTE, ValueLayout.JAVA_DOUBLE, struct, line,
                    MemoryLayout.sequenceLayout(0, ValueLayout.JAVA_INT))) {
                for (MemorySegment one : List.of(arena.allocate(layout), arena.allocate(layout, 1))) {
                    assertThat(one.byteSize()).isEqualTo(layout.byteSize());
                    assertThat(one.address() % layout.byteAlignment()).isZero();
                }
                MemorySegment several = arena.allocate(layout, 3);
                assertThat(several.byteSize()).isEqualTo(3 * layout.byteSize());
                assertThat(several.address() % layout.byteAlignment()).isZero();
                assertThat(arena.allocate(layout, 0).byteSize()).isZero();
            }
            assertThat(arena.allocate(11).byteSize()).isEqualTo(11);
            assertThat(arena.allocate(0).byteSize()).isZero();
        }
    }

    @Test
    default void allocate_impossibleCount_isRejectedAsByTheJdk() {
        assertSameAsJdk(List.of(
                new Call(1, a -> a.allocate(-1)),
                new Call(1, a -> a.allocate(Long.MAX_VALUE)),
                new Call(8, a -> a.allocate(ValueLayout.JAVA_LONG, -1)),
                new Call(8, a -> a.allocate(ValueLayout.JAVA_LONG, Long.MAX_VALUE)),
                new Call(8, a -> a.allocate(ValueLayout.JAVA_LONG, Long.MAX_VALUE / 8)),
                // Multiplied by 8, this is 2^64 + 8, which overflows to 8.
                new Call(8, a -> a.allocate(ValueLayout.JAVA_LONG, (1L << 61) + 1))));
    }

    private void assertSameAsJdk(List<Call> calls) {
        dirty();
        try (Arena jdk = Arena.ofConfined(); Arena arena = open()) {
            for (Call call : calls) {
                assertThat(outcome(call, arena)).isEqualTo(outcome(call, jdk));
            }
        }
    }

    private static String outcome(Call call, Arena arena) {
        try {
            MemorySegment segment = call.method.apply(arena);
            assertThat(segment.address() % call.byteAlignment).isZero();
            return HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE));
        } catch (RuntimeException | OutOfMemoryError e) {
            return e.getClass().getName();
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (1 + i * 7);
        }
        return bytes;
    }
}
