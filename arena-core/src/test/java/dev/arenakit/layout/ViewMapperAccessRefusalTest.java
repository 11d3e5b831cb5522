package dev.arenakit.layout;

import dev.arenakit.layout.ViewMapperRefusalTest.Colour;
import dev.arenakit.layout.ViewMapperRefusalTest.PointView;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        assertThatIllegalArgumentException()
                .isThrownBy(() -> POINTS.viewAtIndex(MemorySegment.ofArray(new byte[8]), 0))
                .withMessageStartingWith("Segment is misaligned for the layout: index=0, layout=PointView");
        assertThatIllegalArgumentException().isThrownBy(() -> POINTS.view(MemorySegment.ofArray(new int[4]), 2))
                .withMessageStartingWith("Segment is misaligned for the layout: byteOffset=2, layout=PointView");
    }

    @Members({"values", "text"})
    interface AlignedView {
        @Align(8)
        @Length(2)
        int values(long index);

        @Length(8)
        String text();
    }

    record AlignedRecord(@Align(8) @Length(8) String text, @Length(8) String other) {}

    /// No member needs the alignment of the struct, which only an array of `long` guarantees.
    @Test
    void access_toAnArrayThatDoesNotGuaranteeTheAlignment_isRefusedEverywhere() {
        ViewMapper<AlignedView> views = ViewMapper.of(AlignedView.class);
        RecordMapper<AlignedRecord> records = RecordMapper.of(AlignedRecord.class);
        AlignedRecord value = new AlignedRecord("a", "b");
        MemorySegment ints = MemorySegment.ofArray(new int[8]);
        MemorySegment longs = MemorySegment.ofArray(new long[5]);
        MemorySegment shifted = longs.asSlice(4, 20);

        for (ThrowingCallable access : List.<ThrowingCallable>of(() -> views.view(ints, 0), () -> views.view(ints, 8),
                () -> views.viewAtIndex(ints, 1), () -> views.list(ints).get(1),
                () -> views.stream(ints).forEach(view -> assertThat(view.values(0)).isZero()),
                () -> records.get(ints, 0), () -> records.getAtIndex(ints, 1), () -> records.set(ints, 0, value),
                () -> records.setAtIndex(ints, 1, value), () -> records.list(ints).get(0),
                () -> views.intElements("values").get(ints, 0, 0), () -> views.view(shifted, 0))) {
            assertThatIllegalArgumentException().isThrownBy(access).withMessageContaining("isaligned");
        }
        assertThat(views.view(shifted, 4).values(1)).isZero();
        assertThat(views.viewAtIndex(longs.asSlice(0, 32), 1).text()).isEmpty();
    }

    @Test
    void view_segmentEndsWithinTheLastUnion_isRefusedWithTheRemedy() {
        RecordMapper<RecordMapperUnionTest.Message> messages = RecordMapper.of(RecordMapperUnionTest.Message.class);
        ViewMapper<MessageView> views = ViewMapper.of(MessageView.class, messages.type());
        MemorySegment segment = MemorySegment.ofArray(new long[5]).asSlice(0, 36);

        assertThat(messages.getAtIndex(segment, 1).length()).isZero();
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> views.viewAtIndex(segment, 1))
                .withMessage("View needs all bytes of the struct, and the segment ends within its last union: index=1,"
                        + " layout=Message, layout.byteSize=24, present=12, segment.byteSize=36; read a record, or copy"
                        + " the bytes to memory of the layout");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> views.view(segment, 32))
                .withMessageStartingWith("Struct is not within the segment: ");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> views.view(segment, 40))
                .withMessageStartingWith("Struct is not within the segment: ");
    }

    interface MessageView {
        int length();
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
