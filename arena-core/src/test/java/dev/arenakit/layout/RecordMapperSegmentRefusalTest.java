package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.layout.RecordMapperRefusalTest.Point;
import dev.arenakit.layout.RecordSamples.OnlyText;
import dev.arenakit.layout.RecordSamples.Texts;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.Refusals.assertRefused;
import static dev.arenakit.layout.RecordMapperRefusalTest.BEFORE;
import static dev.arenakit.layout.RecordMapperRefusalTest.assertUntouched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Accesses to segments that fail because of the segment, the index or the offset.
class RecordMapperSegmentRefusalTest {
    private static final RecordMapper<Point> POINTS = RecordMapper.of(Point.class);

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

            assertThatIllegalArgumentException().isThrownBy(() -> POINTS.getAtIndex(odd, 1))
                    .withMessageContaining(
                            "misaligned for the layout: index=1, layout=Point")
                    .withMessageContaining("packed")
                    .withMessageContaining("address=0x" + Long.toHexString(odd.address() + 16));
            assertThatIllegalArgumentException().isThrownBy(() -> POINTS.setAtIndex(heap, 0, new Point(1, 2)))
                    .withMessageContaining("misaligned for the layout: index=0, layout=Point");
        }
    }

    @Test
    void get_readOnlyAndMisaligned_saysMisaligned() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment odd = arena.allocate(64, 8).asSlice(4).asReadOnly();

            assertRefused(() -> POINTS.getAtIndex(odd, 1), "misaligned for the layout: index=1, layout=Point");
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
    void get_readOnlyAndMalformed_saysMalformed() {
        MemorySegment malformed = MemorySegment.ofArray(new byte[]{-1, 0, 0, 0, 0, 0}).asReadOnly();

        assertRefused(() -> RecordMapper.of(OnlyText.class).getAtIndex(malformed, 0), "malformed in the encoding");
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
