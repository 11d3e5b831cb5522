package dev.arenakit.layout;

import dev.arenakit.layout.ViewMapperRefusalTest.Colour;
import dev.arenakit.layout.ViewMapperRefusalTest.PointView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Accesses to views that fail.
class ViewMapperAccessRefusalTest {
    private static final ViewMapper<PointView> POINTS = ViewMapper.of(PointView.class);

    @Test
    void view_outsideOfTheSegment_isRefused() {
        MemorySegment segment = MemorySegment.ofArray(new int[5]);
        for (long index : new long[]{-1, 2, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE / 8}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> POINTS.viewAtIndex(segment, index))
                    .withMessage("Struct is not within the segment: index=" + index
                            + ", layout=PointView, layout.byteSize=8, segment.byteSize=20, count=2");
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> POINTS.view(segment, 13))
                .withMessageStartingWith("Struct is not within the segment: byteOffset=13, ");
    }

    @Test
    void view_ofAMisalignedSegment_isRefused() {
        PointView onBytes = POINTS.viewAtIndex(MemorySegment.ofArray(new byte[8]), 0);
        assertThatIllegalArgumentException().isThrownBy(onBytes::x)
                .withMessageStartingWith(
                        "Segment is misaligned for the layout: member=x, byteOffset=0, layout=PointView");
        assertThatIllegalArgumentException().isThrownBy(() -> POINTS.view(MemorySegment.ofArray(new int[4]), 2))
                .withMessageStartingWith("Segment is misaligned for the layout: byteOffset=2, layout=PointView");
    }

    @Test
    void access_toAClosedSegment_isRefused() {
        PointView point;
        try (Arena arena = Arena.ofConfined()) {
            point = POINTS.viewAtIndex(POINTS.allocate(arena, 2), 1);
        }
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(point::y)
                .withMessage("Segment is already closed: member=y, byteOffset=8, layout=PointView, layout.byteSize=8, "
                        + "segment.byteSize=16");
    }

    @Test
    void access_fromAnotherThread_isRefused() {
        try (Arena arena = Arena.ofConfined()) {
            PointView point = POINTS.viewAtIndex(POINTS.allocate(arena, 1), 0);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> CompletableFuture.supplyAsync(point::x).join())
                    .withCauseInstanceOf(WrongThreadException.class)
                    .withMessageContaining(
                            "Segment belongs to another thread: member=x, byteOffset=0, layout=PointView");
        }
    }

    @Test
    void write_toAReadOnlySegment_isRefused() {
        PointView point = POINTS.viewAtIndex(MemorySegment.ofArray(new int[2]).asReadOnly(), 0);
        assertThat(point.x()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> point.x(1))
                .withMessageStartingWith("Segment is read-only: member=x, byteOffset=0, layout=PointView");
    }

    @Members({"text", "colour", "address", "values", "raw"})
    interface Checked {
        @Length(4)
        String text();

        void text(String text);

        Colour colour();

        void colour(Colour colour);

        MemorySegment address();

        void address(MemorySegment address);

        @Length(2)
        short values(long index);

        void values(long index, short value);

        @Length(3)
        byte[] raw();

        void raw(byte[] raw);
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void write_valueThatDoesNotFit_isRefusedAndWritesNothing() {
        ViewMapper<Checked> mapper = ViewMapper.of(Checked.class);
        MemorySegment segment = MemorySegment.ofArray(new long[(int) mapper.byteSize() / 8]);
        Checked checked = mapper.viewAtIndex(segment, 0);
        String where = "class=" + Checked.class.getName() + ", component=";

        assertThatIllegalArgumentException().isThrownBy(() -> checked.text("abcde"))
                .withMessageStartingWith("Text is too long: " + where + "text");
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> checked.colour(null))
                .withMessage("Component is null: " + where + "colour");
        assertThatIllegalArgumentException().isThrownBy(() -> checked.address(segment))
                .withMessageStartingWith("Heap segment has no address: " + where + "address");
        assertThatIllegalArgumentException().isThrownBy(() -> checked.raw(new byte[4]))
                .withMessageStartingWith("Array has another length: " + where + "raw");
        for (long index : new long[]{-1, 2, Long.MIN_VALUE}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> checked.values(index, (short) 1))
                    .withMessage("Index is not within the array: index=" + index
                            + ", length=2, layout=Checked, member=values");
        }
        assertThat(segment.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void read_valueWithoutMeaning_isRefused() {
        ViewMapper<Checked> mapper = ViewMapper.of(Checked.class);
        MemorySegment segment = MemorySegment.ofArray(new long[(int) mapper.byteSize() / 8]);
        segment.set(ValueLayout.JAVA_INT, 4, 3);
        assertThatIllegalArgumentException().isThrownBy(() -> mapper.viewAtIndex(segment, 0).colour())
                .withMessageStartingWith("Value in memory is unknown: class=" + Checked.class.getName()
                        + ", component=colour, value=3");
        assertThat(mapper.viewAtIndex(segment, 0)).asString().contains("colour = <IllegalArgumentException>");
    }
}
