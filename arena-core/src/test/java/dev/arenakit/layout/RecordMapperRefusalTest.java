package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.layout.RecordSamples.Color;
import dev.arenakit.layout.RecordSamples.Login;
import dev.arenakit.layout.RecordSamples.Message;
import dev.arenakit.layout.RecordSamples.OnlyText;
import dev.arenakit.layout.RecordSamples.Ping;
import dev.arenakit.layout.RecordSamples.Texts;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class RecordMapperRefusalTest {
    record Point(int x, long y) {}

    record Late(int first, @Length(4) byte[] bytes, Point point, Color color, MemorySegment address,
            @Length(3) String text, @Length(2) OnlyText[] texts, Message message) {}

    private static final RecordMapper<Point> POINTS = RecordMapper.of(Point.class);
    static final byte BEFORE = 0x5a;

    private static Late late(BiFunction<String, Object, Object> change) {
        return new Late(1, (byte[]) change.apply("bytes", new byte[4]), (Point) change.apply("point", new Point(1, 2)),
                (Color) change.apply("color", Color.RED),
                (MemorySegment) change.apply("address", MemorySegment.ofAddress(8)),
                (String) change.apply("text", "abc"),
                (OnlyText[]) change.apply("texts", new OnlyText[]{new OnlyText("a"), new OnlyText("b")}),
                (Message) change.apply("message", new Message((byte) 77, new Ping(1, true), (short) 2)));
    }

    static Stream<Arguments> unwritable() {
        return Stream.of(Arguments.of("bytes", new byte[3], "another length"),
                Arguments.of("address", MemorySegment.ofArray(new byte[1]), "Heap segment has no address"),
                Arguments.of("text", "abcd", "too long"), Arguments.of("text", "ab€", "too long"),
                Arguments.of("text", "\uD800", "encoding lacks"), Arguments.of("text", "a\0", "NUL"),
                Arguments.of("texts", new OnlyText[1], "another length"),
                Arguments.of("texts", new OnlyText[]{new OnlyText("a"), new OnlyText("toolong")}, "too long"),
                Arguments.of("message", new Message((byte) 0, new Ping(1, true), (short) 2), "expected=77"),
                Arguments.of("message", new Message((byte) 0, new Login("too long a name", Color.RED), (short) 2),
                        "component=user"));
    }

    @ParameterizedTest
    @MethodSource("unwritable")
    void set_oneComponentDoesNotFit_writesNothing(String component, Object value, String said) {
        RecordMapper<Late> mapper = RecordMapper.of(Late.class);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = mapper.allocate(arena, 1).fill(BEFORE);

            assertRefused(() -> mapper.setAtIndex(segment, 0, late((name, usual) -> name.equals(component)
                    ? value
                    : usual)), said, "component=");
            assertUntouched(segment);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "point", "color", "address", "text", "texts", "message"})
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void set_oneComponentIsNull_writesNothing(String component) {
        RecordMapper<Late> mapper = RecordMapper.of(Late.class);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = mapper.allocate(arena, 1).fill(BEFORE);

            assertThatNullPointerException()
                    .isThrownBy(() -> mapper.setAtIndex(segment, 0, late((name, usual) -> name.equals(component)
                            ? null
                            : usual)))
                    .withMessageContaining("component=" + component)
                    .withMessageContaining(Late.class.getName());
            assertUntouched(segment);
        }
    }

    @Test
    void set_accessorThrows_writesNothing() {
        RecordMapper<Throwing> mapper = RecordMapper.of(Throwing.class);
        MemorySegment segment = MemorySegment.ofArray(new long[2]).fill(BEFORE);

        assertThatIllegalArgumentException().isThrownBy(() -> mapper.setAtIndex(segment, 0, new Throwing(1, 2)))
                .withMessage("of the user");
        assertUntouched(segment);
    }

    record Throwing(long first, long second) {
        @Override
        public long second() {
            throw new IllegalArgumentException("of the user");
        }
    }

    private static void assertUntouched(MemorySegment segment) {
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsOnly(BEFORE);
    }

    @Test
    void get_valuesWithoutMeaning_areRefused() {
        RecordMapper<RecordSamples.Enums> enums = RecordMapper.of(RecordSamples.Enums.class);
        RecordMapper<Message> messages = RecordMapper.of(Message.class);
        MemorySegment segment = MemorySegment.ofArray(new long[32]);

        segment.set(ValueLayout.JAVA_INT, 0, 3);
        assertRefused(() -> enums.getAtIndex(segment, 0), "component=a, value=3, known=[0, 1, 2]");
        segment.set(ValueLayout.JAVA_INT, 0, 2);
        assertRefused(() -> enums.getAtIndex(segment, 0), "component=d, value=0, known=[-128, 127, 2]");
        segment.set(ValueLayout.JAVA_BYTE, 0, (byte) -1);
        assertRefused(() -> messages.getAtIndex(segment, 0), "component=body, value=-1, known=[0, 77, 2]");
    }

    @Test
    void get_malformedText_isRefused() {
        RecordMapper<Texts> mapper = RecordMapper.of(Texts.class);
        MemorySegment segment = MemorySegment.ofArray(new long[8]);

        segment.set(ValueLayout.JAVA_BYTE, mapper.field("b").byteOffset(), (byte) 0x80);
        assertRefused(() -> mapper.getAtIndex(segment, 0), "component=b, charset=US-ASCII", "byte[]");
        segment.set(ValueLayout.JAVA_BYTE, mapper.field("b").byteOffset(), (byte) 'x');
        segment.set(ValueLayout.JAVA_CHAR, mapper.field("c").byteOffset(), '\uDC00');
        assertRefused(() -> mapper.getAtIndex(segment, 0), "component=c, charset=UTF-16");
    }

    @Test
    void set_charactersTheEncodingLacks_areRefused() {
        RecordMapper<Texts> mapper = RecordMapper.of(Texts.class);
        MemorySegment segment = MemorySegment.ofArray(new long[8]).fill(BEFORE);

        for (Texts texts : List.of(new Texts("", "ä", "", 0), new Texts("", "", "\uD83D", 0),
                new Texts("\uDE00\uD83D", "", "", 0), new Texts("", "", "12345678", 0))) {
            assertRefused(() -> mapper.setAtIndex(segment, 0, texts), "component=");
        }
        assertUntouched(segment);
        mapper.setAtIndex(segment, 0, new Texts("?\uFFFD", "?", "?\uFFFD", 0));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Texts("?\uFFFD", "?", "?\uFFFD", 0));
        assertThat(segment.asSlice(0, 5).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo("?\uFFFD\0".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void set_null_isRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> POINTS.setAtIndex(MemorySegment.ofArray(new long[2]), 0, null))
                .withMessageContaining("Point");
    }

    record Huge(@Length(Integer.MAX_VALUE) long[] values) {}

    record HugeText(@Length(Long.MAX_VALUE / 4) String text) {}

    @Test
    void of_largerThanTheHeapCanHold_isRefused() {
        assertRefused(() -> RecordMapper.of(Huge.class), "component=values", "use a view");
        assertRefused(() -> RecordMapper.of(HugeText.class), "component=text");
    }

    record Half(long a0, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8, long a9, long a10,
            long a11, long a12, long a13, long a14, long a15, long a16, long a17, long a18, long a19, long a20,
            long a21, long a22, long a23, long a24, long a25, long a26, long a27, long a28, long a29, long a30,
            long a31, long a32, long a33, long a34, long a35, long a36, long a37, long a38, long a39, long a40,
            long a41, long a42, long a43, long a44, long a45, long a46, long a47, long a48, long a49, long a50,
            long a51, long a52, long a53, long a54, long a55, long a56, long a57, long a58, long a59, long a60,
            long a61, long a62, long a63, long a64, long a65, long a66, long a67, long a68, long a69, long a70,
            long a71, long a72, long a73, long a74, long a75, long a76, long a77, long a78, long a79, long a80,
            long a81, long a82, long a83, long a84, long a85, long a86, long a87, long a88, long a89, long a90,
            long a91, long a92, long a93, long a94, long a95, long a96, long a97, long a98, long a99, long a100,
            long a101, long a102, long a103, long a104, long a105, long a106, long a107, long a108, long a109,
            long a110, long a111, long a112, long a113, long a114, long a115, long a116, long a117, long a118,
            long a119, long a120, long a121, long a122, long a123, long a124, long a125, long a126) {}

    @Test
    void of_moreComponentsThanAHandleTakes_isRefused() {
        assertRefused(() -> RecordMapper.of(Half.class), "Half", "254 slots of 253");
    }

    @Test
    void of_noRecord_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordMapper.of(String.class))
                .withMessage("Not a record: class=java.lang.String; a mapper takes a record class; make it one");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 3, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 60, -(1L << 60)})
    void access_indexOutside_namesIndexAndLayout(long index) {
        MemorySegment segment = MemorySegment.ofArray(new long[7]);

        for (Runnable access : List.<Runnable>of(() -> POINTS.getAtIndex(segment, index),
                () -> POINTS.setAtIndex(segment, index, new Point(1, 2)),
                () -> POINTS.longField("y").getAtIndex(segment, index))) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(access::run)
                    .withMessage("Struct is not within the segment: index=" + index
                            + ", layout=Point, layout.byteSize=16, segment.byteSize=56, count=3");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            16 | a pointer has the size 0: give its layout a target (@TargetType, @TargetByteSize), or reinterpret it
            0 | the segment is the pointer NULL: compare its address with 0 before the access
            """)
    void access_ofAPointerWithoutSize_namesTheRemedy(long address, String remedy) {
        MemorySegment pointer = MemorySegment.ofAddress(address);
        String size = ", layout=Point, layout.byteSize=16, segment.byteSize=0";
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> POINTS.get(pointer))
                .withMessage("Struct is not within the segment: byteOffset=0" + size + "; " + remedy);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> POINTS.longField("y").getAtIndex(pointer, 0))
                .withMessage("Struct is not within the segment: index=0" + size + ", count=0; " + remedy);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> POINTS.copy(pointer, 0, pointer, 0, 1))
                .withMessage(
                        "Range is not within the segment: index=0, count=1" + size + ", segment.count=0; " + remedy);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 41, 48, Long.MAX_VALUE, Long.MIN_VALUE})
    void access_offsetOutside_namesOffsetAndLayout(long byteOffset) {
        MemorySegment segment = MemorySegment.ofArray(new long[7]);

        for (Runnable access : List.<Runnable>of(() -> POINTS.get(segment, byteOffset),
                () -> POINTS.set(segment, byteOffset, new Point(1, 2)),
                () -> POINTS.longField("y").get(segment, byteOffset))) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(access::run)
                    .withMessageContaining("byteOffset=" + byteOffset + ", layout=Point");
        }
        assertThat(POINTS.get(segment, 40)).isEqualTo(new Point(0, 0));
    }

    @Test
    void access_segmentShorterThanAStructOfTextAlone_isRefused() {
        RecordMapper<OnlyText> mapper = RecordMapper.of(OnlyText.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[5]).fill(BEFORE);

        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> mapper.getAtIndex(segment, 0))
                .withMessageContaining("index=0, layout=OnlyText, layout.byteSize=6, segment.byteSize=5, count=0");
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> mapper.setAtIndex(segment, 0, new OnlyText("a")));
        assertUntouched(segment);
    }

    @Test
    void set_segmentEndsBehindTheFirstText_writesNothing() {
        RecordMapper<Texts> mapper = RecordMapper.of(Texts.class);
        MemorySegment segment = MemorySegment.ofArray(new long[2]).fill(BEFORE);

        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> mapper.setAtIndex(segment, 0, new Texts("a", "b", "c", 1)))
                .withMessageContaining("layout=Texts")
                .withMessageContaining("segment.byteSize=16");
        assertUntouched(segment);
    }

    @Test
    void access_misaligned_namesAddressAndRemedy() {
        MemorySegment heap = MemorySegment.ofArray(new byte[64]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment odd = arena.allocate(64, 8).asSlice(4);

            assertRefused(() -> POINTS.getAtIndex(odd, 1),
                    "misaligned for the layout: index=1, layout=Point", "packed",
                    "address=0x" + Long.toHexString(odd.address() + 16));
            assertRefused(() -> POINTS.setAtIndex(heap, 0, new Point(1, 2)),
                    "misaligned for the layout: index=0, layout=Point");
        }
    }

    record Even(int value) {
        Even {
            if (value % 2 != 0) {
                throw new NumberFormatException("odd");
            }
        }
    }

    @Test
    void get_readOnlyAndRefusedByTheConstructor_throwsWhatTheConstructorThrows() {
        MemorySegment odd = MemorySegment.ofArray(new int[]{1}).asReadOnly();

        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> RecordMapper.of(Even.class).getAtIndex(odd, 0))
                .withMessage("odd");
    }

    @Test
    void accessExceptions_readTheirCause_fromConditionsAlone() {
        MemorySegment segment = MemorySegment.ofArray(new long[2]).asReadOnly();
        IllegalArgumentException traceless = new IllegalArgumentException("Attempt to write a read-only segment");
        traceless.setStackTrace(new StackTraceElement[0]);

        StructType type = POINTS.type();
        assertThat(AccessExceptions.explained(traceless, type, segment, "index=0", 0, 16, true))
                .hasMessageContaining("Segment is read-only: index=0");
        assertThat(AccessExceptions.explained(traceless, type, segment, "index=0", 0, 16, false)).isSameAs(traceless);
    }

    @Test
    void copyAndFill_closedOrForeignOrReadOnly_nameIndexAndLayout() {
        Arena arena = Arena.ofConfined();
        MemorySegment segment = POINTS.allocate(arena, 4);
        MemorySegment other = MemorySegment.ofArray(new byte[64]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> POINTS.copy(segment.asReadOnly(), 0, other.asReadOnly(), 1, 2))
                .withMessage(
                        "Segment is read-only: index=1, count=2, layout=Point, layout.byteSize=16, segment.byteSize=64");
        assertThatThrownBy(
                () -> CompletableFuture.runAsync(() -> POINTS.copy(segment, 2, other, 1, 1)).join())
                .cause()
                .isInstanceOf(WrongThreadException.class)
                .hasMessageContaining("index=2, count=1, layout=Point");
        arena.close();
        for (Runnable access : List.<Runnable>of(() -> POINTS.copy(other, 0, segment, 0, 1),
                () -> POINTS.copy(segment, 0, other, 0, 0), () -> POINTS.fill(segment, 0, 0, new Point(1, 2)))) {
            assertThatThrownBy(access::run).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Segment is already closed: index=0, count=")
                    .hasMessageContaining("layout=Point");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void access_nullArgument_isNamed() {
        MemorySegment segment = MemorySegment.ofArray(new long[4]);

        for (Runnable access : List.<Runnable>of(() -> POINTS.getAtIndex(null, 0), () -> POINTS.get(null, 0),
                () -> POINTS.setAtIndex(null, 0, new Point(1, 2)), () -> POINTS.set(null, 0, new Point(1, 2)),
                () -> POINTS.get(null), () -> POINTS.set(null, new Point(1, 2)),
                () -> POINTS.list(null), () -> POINTS.stream(null), () -> POINTS.fill(null, new Point(1, 2)),
                () -> POINTS.longField("y").getAtIndex(null, 0), () -> POINTS.intField("x").setAtIndex(null, 0, 1))) {
            assertThatNullPointerException().isThrownBy(access::run).withMessage("segment");
        }
        assertThatNullPointerException().isThrownBy(() -> POINTS.copy(null, 0, segment, 0, 1)).withMessage("from");
        assertThatNullPointerException().isThrownBy(() -> POINTS.copy(segment, 0, null, 0, 1)).withMessage("to");
        assertThatNullPointerException().isThrownBy(() -> POINTS.fill(segment, 0, 0, null)).withMessage("value");
        assertThatNullPointerException().isThrownBy(() -> POINTS.allocate(null, 1)).withMessage("allocator");
        assertThatNullPointerException().isThrownBy(() -> POINTS.allocate(null)).withMessage("allocator");
    }

    @Test
    void access_closedOrForeignOrReadOnly_namesIndexAndLayout() {
        Arena arena = Arena.ofConfined();
        MemorySegment segment = POINTS.allocate(arena, 2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> POINTS.setAtIndex(segment.asReadOnly(), 1, new Point(1, 2)))
                .withMessage("Segment is read-only: index=1, layout=Point, layout.byteSize=16, segment.byteSize=32");
        assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> POINTS.getAtIndex(segment, 1)).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(WrongThreadException.class)
                .hasMessageContaining("index=1, layout=Point");
        arena.close();
        assertThatThrownBy(() -> POINTS.getAtIndex(segment, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Segment is already closed: index=1, layout=Point");
    }

    private static final List<Runnable> BETWEEN = new ArrayList<>();

    /// A record whose accessor runs code of the user in the middle of a write.
    record Closing(int first, int second) {
        @Override
        public int second() {
            BETWEEN.forEach(Runnable::run);
            return second;
        }
    }

    @Test
    void set_accessorClosesTheArena_isRefused() {
        RecordMapper<Closing> mapper = RecordMapper.of(Closing.class);
        Arena arena = Arena.ofConfined();
        MemorySegment segment = mapper.allocate(arena, 1);
        BETWEEN.add(arena::close);
        try {
            assertThatIllegalStateException().isThrownBy(() -> mapper.setAtIndex(segment, 0, new Closing(1, 2)))
                    .withMessageContaining("Segment is already closed: index=0, layout=Closing");
        } finally {
            BETWEEN.clear();
        }
    }
}
