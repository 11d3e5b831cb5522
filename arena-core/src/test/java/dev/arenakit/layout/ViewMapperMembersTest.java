package dev.arenakit.layout;

import dev.arenakit.layout.ViewMapperTest.Point;
import dev.arenakit.layout.ViewMapperTest.PointView;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.arenakit.layout.annotation.Encoding.Kind.UTF_16;
import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/// Members of every kind, read and written as the record of the same struct does.
class ViewMapperMembersTest {
    @AutoClose
    private final Arena arena = Arena.ofConfined();

    enum Colour {
        @Value(7)
        RED, @Value(-1)
        BLUE
    }

    @SuppressWarnings("ArrayRecordComponent") // The test maps arrays.
    @Order(BIG_ENDIAN)
    record Everything(boolean flag, byte tiny, short small, char letter, int number, long large, float real,
            double precise, @Length(8) String text, @Encoding(UTF_16) @Length(4) String wide,
            @ByteSize(2) Colour colour,
            @Align(16) MemorySegment address, Point point, @Length(3) int[] numbers, @Length(2) Point[] points,
            @Length(2) Colour[] colours, @Length(4) byte[] raw) {}

    @Order(BIG_ENDIAN)
    @Name("Everything")
    @Members({"flag", "tiny", "small", "letter", "number", "large", "real", "precise", "text", "wide", "colour",
            "address",
            "point", "numbers", "points", "colours", "raw"})
    interface EverythingView {
        boolean flag();

        void flag(boolean flag);

        byte tiny();

        void tiny(byte tiny);

        short small();

        void small(short small);

        char letter();

        void letter(char letter);

        int number();

        void number(int number);

        long large();

        void large(long large);

        float real();

        void real(float real);

        double precise();

        void precise(double precise);

        @Length(8)
        String text();

        void text(String text);

        @Encoding(UTF_16)
        @Length(4)
        String wide();

        void wide(String wide);

        @ByteSize(2)
        Colour colour();

        void colour(Colour colour);

        @Align(16)
        MemorySegment address();

        void address(MemorySegment address);

        PointView point();

        @Length(3)
        int numbers(long index);

        void numbers(long index, int number);

        @Length(2)
        PointView points(long index);

        @Length(2)
        Colour colours(long index);

        EverythingView colours(long index, Colour colour);

        @Length(4)
        byte[] raw();

        void raw(byte[] raw);
    }

    private static final Everything EVERYTHING = new Everything(true, (byte) -1, (short) -2, 'c', 0x01020304,
            0x0102030405060708L, 6.5f, 7.5, "text", "ü", Colour.RED, MemorySegment.ofAddress(0x1000), new Point(8, 9),
            new int[]{10, 11, 12}, new Point[]{new Point(13, 14), new Point(15, 16)},
            new Colour[]{Colour.BLUE, Colour.RED}, new byte[]{1, 2, 3, 4});

    @Test
    void type_ofEveryKindOfMember_isThatOfTheRecord() {
        assertThat(ViewMapper.of(EverythingView.class).type()).isEqualTo(RecordMapper.of(Everything.class).type());
    }

    @Test
    void view_writesWhatTheRecordReads() {
        ViewMapper<EverythingView> views = ViewMapper.of(EverythingView.class);
        RecordMapper<Everything> records = RecordMapper.of(Everything.class);
        MemorySegment segment = views.allocate(arena, 2);
        EverythingView view = views.viewAtIndex(segment, 1);
        view.flag(true);
        view.tiny((byte) -1);
        view.small((short) -2);
        view.letter('c');
        view.number(0x01020304);
        view.large(0x0102030405060708L);
        view.real(6.5f);
        view.precise(7.5);
        view.text("text");
        view.wide("ü");
        view.colour(Colour.RED);
        view.address(MemorySegment.ofAddress(0x1000));
        view.point().x(8).y(9);
        for (int i = 0; i < 3; i++) {
            view.numbers(i, 10 + i);
        }
        view.points(0).x(13).y(14);
        view.points(1).x(15).y(16);
        view.colours(0, Colour.BLUE).colours(1, Colour.RED);
        view.raw(new byte[]{1, 2, 3, 4});
        assertThat(records.getAtIndex(segment, 1)).matches(read -> RandomRecords.equal(read, EVERYTHING));
    }

    @Test
    void view_readsWhatTheRecordWrote() {
        RecordMapper<Everything> records = RecordMapper.of(Everything.class);
        MemorySegment segment = records.allocate(arena, 1);
        records.setAtIndex(segment, 0, EVERYTHING);
        assertThat(ViewMapper.of(EverythingView.class).viewAtIndex(segment, 0))
                .hasToString("EverythingView { flag = true, "
                        + "tiny = -1, small = -2, letter = 'c', number = 16909060, large = 72623859790382856, "
                        + "real = 6.5, precise = 7.5, text = \"text\", "
                        + "wide = \"ü\", colour = RED, address = 0x1000, point = PointView { x = 8, y = 9 }, "
                        + "numbers = [10, 11, 12], points = [PointView { x = 13, y = 14 }, PointView { x = 15, y = 16 }], "
                        + "colours = [BLUE, RED], raw = [1, 2, 3, 4] }");
    }

    /// A view of records: they are read and written as a whole.
    @Members({"from", "corners"})
    interface Line {
        Point from();

        Line from(Point from);

        @Length(20)
        Point corners(long index);

        void corners(long index, Point corner);
    }

    @Test
    void view_holdsRecords() {
        ViewMapper<Line> lines = ViewMapper.of(Line.class);
        Line line = lines.viewAtIndex(lines.allocate(arena, 1), 0).from(new Point(1, 2));
        line.corners(19, new Point(3, 4));

        assertThat(line.from()).isEqualTo(new Point(1, 2));
        assertThat(line.corners(19)).isEqualTo(new Point(3, 4));
        assertThat(line).asString()
                .startsWith("Line { from = Point[x=1, y=2], corners = [Point[x=0, y=0], ")
                .endsWith("Point[x=0, y=0], 4 more] }");
    }

    @SuppressWarnings("ArrayRecordComponent") // An array of C is mapped to an array component.
    record Arrays(byte tag, @Length(2) Colour[] colours, @Length(3) Point[] points,
            @Length(2) MemorySegment[] addresses) {}

    @Name("Arrays")
    @Members({"tag", "colours", "points", "addresses"})
    interface ArraysView {
        byte tag();

        @Length(2)
        Colour[] colours();

        ArraysView colours(Colour[] colours);

        @Length(3)
        Point[] points();

        ArraysView points(Point[] points);

        @Length(2)
        MemorySegment[] addresses();

        ArraysView addresses(MemorySegment[] addresses);
    }

    @Test
    void view_holdsArraysAsOneValue_asTheRecordDoes() {
        ViewMapper<ArraysView> views = ViewMapper.of(ArraysView.class);
        RecordMapper<Arrays> records = RecordMapper.of(Arrays.class);
        Colour[] colours = {Colour.BLUE, Colour.RED};
        Point[] points = {new Point(1, 2), new Point(3, 4), new Point(5, 6)};
        MemorySegment[] addresses = {MemorySegment.ofAddress(0x10), MemorySegment.ofAddress(0x20)};
        MemorySegment segment = views.allocate(arena, 2);
        ArraysView view = views.viewAtIndex(segment, 1).colours(colours).points(points).addresses(addresses);

        assertThat(views.type()).isEqualTo(records.type());
        assertThat(records.getAtIndex(segment, 1).colours()).isEqualTo(colours).isEqualTo(view.colours());
        assertThat(records.getAtIndex(segment, 1).points()).isEqualTo(points).isEqualTo(view.points());
        assertThat(records.getAtIndex(segment, 1).addresses()).isEqualTo(addresses).isEqualTo(view.addresses());
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> view.points(new Point[2]))
                .withMessageStartingWith("Array has another length: class=" + ArraysView.class.getName()
                        + ", component=points");
        assertThat(view).hasToString("ArraysView { tag = 0, colours = [BLUE, RED], points = [Point[x=1, y=2], "
                + "Point[x=3, y=4], Point[x=5, y=6]], addresses = [0x10, 0x20] }");
    }

    /// A record that stores which generated classes create it.
    record Probe(int value) {
        static final Set<Class<?>> MAPPERS = new HashSet<>();

        Probe {
            StackWalker walker = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE,
                    StackWalker.Option.SHOW_HIDDEN_FRAMES));
            walker.forEach(frame -> Optional.of(frame.getDeclaringClass())
                    .filter(type -> type.getName().contains("ProbeInMemory"))
                    .ifPresent(MAPPERS::add));
        }
    }

    @Members({"first", "second", "all"})
    interface Probes {
        Probe first();

        Probe second();

        @Length(2)
        Probe all(long index);
    }

    @Test
    void of_severalAccessorsOfOneRecord_generatesOneMapper() {
        ViewMapper<Probes> mapper = ViewMapper.of(Probes.class);
        Probes probes = mapper.viewAtIndex(mapper.allocate(arena, 1), 0);

        assertThat(List.of(probes.first(), probes.second(), probes.all(1))).containsOnly(new Probe(0));
        assertThat(Probe.MAPPERS).hasSize(1);
    }
}
