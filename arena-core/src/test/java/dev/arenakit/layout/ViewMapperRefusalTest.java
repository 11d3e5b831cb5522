package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ViewMapperRefusalTest {
    @Members({"x", "y"})
    interface PointView {
        int x();

        void x(int x);

        int y();
    }

    private static final ViewMapper<PointView> POINTS = ViewMapper.of(PointView.class);

    abstract static class NoInterface {
        abstract int x();
    }

    interface NoOrder {
        int y();

        int x();
    }

    @Members({"x", "x", "y"})
    interface Twice {
        int x();

        int y();
    }

    @Members({"x", "z"})
    interface Unknown {
        int x();

        int y();
    }

    @Members("x")
    interface Missing {
        int x();

        int y();
    }

    interface WriteOnly {
        void x(int x);
    }

    interface Bean {
        int getX();

        void setX(int x);
    }

    interface OtherType {
        int x();

        void x(long x);
    }

    interface OtherResult {
        int x();

        int x(int x);
    }

    interface IntIndex {
        @Length(3)
        int x(int index);
    }

    interface NoLength {
        int x(long index);
    }

    interface LengthZero {
        @Length(0)
        int x(long index);
    }

    interface NoText {
        String x();
    }

    interface Unsupported {
        Thread x();
    }

    interface Empty {}

    interface Recursive {
        Recursive x();
    }

    interface Replaced {
        PointView x();

        void x(PointView x);
    }

    sealed interface Sealed permits Permitted {
        int x();
    }

    record Permitted(int x) implements Sealed {}

    @Members({"kind", "shape"})
    interface OfUnion {
        int kind();

        @Union("kind")
        Sealed shape();
    }

    interface Self<S> {
        int x();

        S x(int x);
    }

    interface GenericSelf extends Self<GenericSelf> {}

    interface ArrayOfViews {
        @Length(3)
        PointView[] x();
    }

    interface LargeArray {
        @Length(1L << 32)
        byte[] x();
    }

    interface LargeText {
        @Length(1L << 32)
        String x();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NoInterface | Not an interface: class=C; a view is an interface with a method for each member
            NoOrder     | Order of the members is missing: class=C; add @Members({"x", "y"}) in the order of the struct, or give the struct
            Twice       | @Members names one accessor twice: class=C; remove "x"; there are [x, y]
            Unknown     | @Members names no accessor: class=C; remove "z"; there are [x, y]
            Missing     | @Members lacks accessors: class=C; add [y], or make them default methods
            WriteOnly   | Member has no method that reads it: class=C, method=x, parameters=[int]; declare `T x()`, or for an array `T x(long index)`; make a method that is not an accessor a default method
            Bean        | Member has no method that reads it: class=C, method=setX, parameters=[int]; accessors have the name of the member, without get and set: declare `T x()` and `void x(T value)`
            OtherType   | Method is not an accessor: class=C, method=x, parameters=[long]; a method that writes takes a int, and returns nothing or the view
            OtherResult | Method is not an accessor: class=C, method=x, parameters=[int]; a method that writes takes a int, and returns nothing or the view
            IntIndex    | Member has no method that reads it: class=C, method=x, parameters=[int]; declare `T x()`, or for an array `T x(long index)`; make a method that is not an accessor a default method
            NoLength    | Length is missing: class=C, component=x, type=int[]; add @Length(n): the number of elements, or of code units of text
            LengthZero  | Length is less than 1: class=C, component=x, type=int[]; @Length says 0; a flexible array is the last member of a view, as in `@Length(flexible = true) int data(long index)`; records have none
            NoText      | Length is missing: class=C, component=x, type=java.lang.String; add @Length(n): the number of elements, or of code units of text
            Empty       | Type has no components: class=C; a struct in C has at least one member
            Recursive   | Type contains itself: class=C; a struct has a fixed size: hold the address of the inner one in a MemorySegment; it is nested in class=C, path=x
            Sealed      | Interface is sealed: class=C; a view is a class that the interface does not permit; remove sealed
            GenericSelf | Method is not an accessor: class=S, method=x, parameters=[int]; a method that writes takes a int, and returns nothing or the view; to the JVM S is java.lang.Object, so bound it, as in `S extends Self<S>`
            ArrayOfViews | An array of views cannot be returned: class=C, component=x, type=V; read the elements by index, as in `PointView x(long index)`
            LargeArray  | Component is too large for the heap: class=C, component=x, type=byte[]; its size is 4294967296 bytes; read the elements by index, as in `byte x(long index)`
            LargeText   | Component is too large for the heap: class=C, component=x, type=java.lang.String; its size is 4294967296 bytes; make it an array of bytes in the struct, and read that by index
            """)
    void of_badInterface_isRefused(String name, String message) throws ClassNotFoundException {
        Class<?> type = Class.forName(getClass().getName() + "$" + name);
        assertThatIllegalArgumentException().isThrownBy(() -> ViewMapper.of(type))
                .withMessage(message.replace("class=C", "class=" + type.getName())
                        .replace("class=S", "class=" + Self.class.getName())
                        .replace("type=V", "type=" + PointView[].class.getTypeName()));
    }

    @Test
    void of_componentWithoutFormInMemory_isRefused() {
        assertRefused(() -> ViewMapper.of(Unsupported.class),
                "class=" + Unsupported.class.getName() + ", component=x, type=java.lang.Thread");
    }

    @Test
    void of_nestedViewThatIsWritten_isRefused() {
        assertRefused(() -> ViewMapper.of(Replaced.class),
                "A nested view cannot be replaced: class=" + Replaced.class.getName());
    }

    @Test
    void of_unionOfRecords_isRefused() {
        assertRefused(() -> ViewMapper.of(OfUnion.class), "Union is not one value: class=" + OfUnion.class.getName());
    }

    @Union
    interface Word {
        int i();

        float f();
    }

    interface Holder {
        Word value();
    }

    @Test
    void of_unionItself_namesAViewWithOneMember() {
        assertThatIllegalArgumentException().isThrownBy(() -> ViewMapper.of(Word.class))
                .withMessage(
                        "Union is not a struct: class=" + Word.class.getName() + "; map a view with one member of"
                                + " its type, as in `interface Holder { Word value(); }`");
        assertThat(ViewMapper.of(Holder.class).view(MemorySegment.ofArray(new float[]{1})).value().i())
                .isEqualTo(Float.floatToIntBits(1));
    }

    @Test
    void of_structThatDisagrees_isRefused() {
        StructType longs = StructType.builder("P")
                .add("x", ValueType.of(long.class))
                .add("y", ValueType.of(int.class))
                .build();
        assertRefused(() -> ViewMapper.of(PointView.class, longs),
                "Accessor and member do not agree: class=" + PointView.class.getName()
                        + ", component=x, type=int; the type in memory is ValueType[carrier=long");
    }

    @Test
    void of_structWithoutTheMember_isRefused() {
        StructType one = StructType.builder("P").add("x", ValueType.of(int.class)).build();
        assertThatIllegalArgumentException().isThrownBy(() -> ViewMapper.of(PointView.class, one))
                .withMessage("Struct has no member of that name: class=" + PointView.class.getName()
                        + ", component=y, type=int; there is no \"y\" among [x]");
    }

    interface Values {
        int x(long index);
    }

    @Test
    void of_structWithoutSize_isRefused() {
        StructType nothing = StructType.builder("Nothing").add("x", ArrayType.of(ValueType.of(int.class), 0)).build();
        assertThatIllegalArgumentException().isThrownBy(() -> ViewMapper.of(Values.class, nothing))
                .withMessage("Struct has no size: class=" + Values.class.getName() + "; the number of views "
                        + "in a segment would be infinite: struct=Nothing, byteSize=0; give it a member that has one");
    }

    interface Bytes {
        byte[] x();
    }

    @Test
    void of_arrayBeyondTheHeap_isRefusedFromTheSizeThatNoArrayHas() {
        long largest = Integer.MAX_VALUE - 8;
        assertThat(ViewMapper.of(Bytes.class, bytes(largest)).byteSize()).isEqualTo(largest);
        assertRefused(() -> ViewMapper.of(Bytes.class, bytes(largest + 1)), "its size is " + (largest + 1) + " bytes");
    }

    private static StructType bytes(long length) {
        return StructType.builder("Bytes").add("x", ArrayType.of(ValueType.of(byte.class), length)).build();
    }

    @Test
    void of_arrayOfOtherElements_isRefused() {
        StructType longs = StructType.builder("P").add("x", ArrayType.of(ValueType.of(long.class), 2)).build();
        for (Class<?> type : List.of(Bytes.class, Colours.class, Addresses.class, Points.class)) {
            assertRefused(() -> ViewMapper.of(type, longs), "Accessor and member do not agree: class=" + type.getName()
                    + ", component=x, type=", "[]; the type in memory is ArrayType[element=ValueType[carrier=long");
        }
    }

    interface Colours {
        Colour[] x();
    }

    interface Addresses {
        MemorySegment[] x();
    }

    interface Points {
        Permitted[] x();
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void arguments_thatAreNull_areNamed() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        isNamed("type", () -> ViewMapper.of((Class<?>) null));
        isNamed("type", () -> ViewMapper.of(lookup, null));
        isNamed("lookup", () -> ViewMapper.of((MethodHandles.Lookup) null, PointView.class));
        isNamed("lookup", () -> ViewMapper.of(null, PointView.class, POINTS.type()));
        isNamed("struct", () -> ViewMapper.of(PointView.class, (StructType) null));
        isNamed("struct", () -> ViewMapper.of(lookup, PointView.class, null));
        isNamed("segment", () -> POINTS.viewAtIndex(null, 0));
        isNamed("segment", () -> POINTS.view(null, -1));
        isNamed("segment", () -> POINTS.view(null));
        isNamed("allocator", () -> POINTS.allocate(null, 1));
    }

    private static void isNamed(String argument, ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(call).withMessage(argument);
    }

    enum Colour {
        RED
    }

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
        assertRefused(() -> POINTS.viewAtIndex(MemorySegment.ofArray(new byte[8]), 0),
                "Segment is misaligned for the layout: index=0, layout=PointView");
        assertRefused(() -> POINTS.view(MemorySegment.ofArray(new int[4]), 2),
                "Segment is misaligned for the layout: byteOffset=2, layout=PointView");
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
            assertRefused(access, "isaligned");
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
        assertRefused(() -> point.x(1), "Segment is read-only: member=x, byteOffset=0, layout=PointView");
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

        assertRefused(() -> checked.text("abcde"), "Text is too long: " + where + "text");
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> checked.colour(null))
                .withMessage("Component is null: " + where + "colour");
        assertRefused(() -> checked.address(segment), "Heap segment has no address: " + where + "address");
        assertRefused(() -> checked.raw(new byte[4]), "Array has another length: " + where + "raw");
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
        assertRefused(() -> mapper.viewAtIndex(segment, 0).colour(),
                "Value in memory is unknown: class=" + Checked.class.getName()
                        + ", component=colour, value=3");
        assertThat(mapper.viewAtIndex(segment, 0)).asString().contains("colour = <IllegalArgumentException>");
    }
}
