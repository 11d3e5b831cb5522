package dev.arenakit.layout;

import dev.arenakit.layout.ViewMapperTest.Point;
import dev.arenakit.layout.ViewMapperTest.PointView;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.arenakit.layout.annotation.Encoding.Kind.UTF_16;
import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Views of the kinds of components that annotations describe.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class ViewMapperKindsTest {
    @Members({"port", "nanos", "ihl", "version", "small", "count", "values", "names", "padded", "prefixed", "next"})
    interface PacketView {
        @Unsigned(2)
        int port();

        PacketView port(int port);

        @Unsigned(6)
        long nanos();

        PacketView nanos(long nanos);

        @Bits(4)
        @Unsigned(1)
        int ihl();

        PacketView ihl(int ihl);

        @Bits(4)
        @Unsigned(1)
        int version();

        PacketView version(int version);

        @Unsigned(1)
        @Length(3)
        int[] small();

        PacketView small(int[] small);

        int count();

        PacketView count(int count);

        @Length(value = 4, counted = "count")
        int values(long index);

        PacketView values(long index, int value);

        @Length({3, 8})
        String names(long index);

        PacketView names(long index, String name);

        @Length(8)
        @Encoding(value = Encoding.Kind.ASCII, padding = Encoding.Padding.SPACE)
        String padded();

        PacketView padded(String padded);

        @Length(8)
        @Encoding(value = Encoding.Kind.UTF_8, prefix = 1)
        String prefixed();

        PacketView prefixed(String prefixed);

        @TargetByteSize(8)
        MemorySegment next();
    }

    record Packet(@Unsigned(2) int port, @Unsigned(6) long nanos, @Bits(4) @Unsigned(1) int ihl,
            @Bits(4) @Unsigned(1) int version, @Unsigned(1) @Length(3) int[] small, int count,
            @Length(value = 4, counted = "count") int[] values, @Length({3, 8}) String[] names,
            @Length(8) @Encoding(value = Encoding.Kind.ASCII, padding = Encoding.Padding.SPACE) String padded,
            @Length(8) @Encoding(value = Encoding.Kind.UTF_8, prefix = 1) String prefixed,
            @TargetByteSize(8) MemorySegment next) {}

    private static final ViewMapper<PacketView> VIEWS = ViewMapper.of(PacketView.class);
    private static final RecordMapper<Packet> RECORDS = RecordMapper.of(Packet.class);

    private final MemorySegment segment = VIEWS.allocate(Arena.ofAuto(), 2);
    private final PacketView view = VIEWS.viewAtIndex(segment, 1);

    @Test
    void type_ofAView_isThatOfTheRecord() {
        assertThat(new StructType("Packet", VIEWS.type().members(), VIEWS.byteSize(), VIEWS.type().byteAlignment()))
                .isEqualTo(RECORDS.type());
    }

    @Test
    void view_ofEachKind_readsAndWritesWhatTheRecordDoes() {
        view.port(65_535)
                .nanos((1L << 48) - 1)
                .ihl(15)
                .version(4)
                .small(new int[]{0, 128, 255})
                .count(2)
                .values(0, 7)
                .values(1, 8)
                .names(2, "third")
                .padded("ab c")
                .prefixed("x y");
        Packet expected = new Packet(65_535, (1L << 48) - 1, 15, 4, new int[]{0, 128, 255}, 2, new int[]{7, 8},
                new String[]{"", "", "third"}, "ab c", "x y", MemorySegment.NULL);
        assertThat(RECORDS.getAtIndex(segment, 1)).matches(read -> RandomRecords.equal(read, expected));
        assertThat(view).hasToString("""
                PacketView { port = 65535, nanos = 281474976710655, ihl = 15, version = 4, small = [0, 128, 255], \
                count = 2, values = [7, 8], names = ["", "", "third"], padded = "ab c", prefixed = "x y", \
                next = 0x0 }""");
        assertThat(view.next().byteSize()).isZero();
    }

    @Test
    void setter_ofAValueThatDoesNotFit_changesNothing() {
        assertRefused(() -> view.port(65_536), "Value does not fit: class=" + PacketView.class.getName()
                + ", component=port, value=65536, min=0, max=65535");
        assertThatIllegalArgumentException().isThrownBy(() -> view.nanos(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> view.ihl(16));
        assertThatIllegalArgumentException().isThrownBy(() -> view.small(new int[]{1, 2, 256}));
        assertThatIllegalArgumentException().isThrownBy(() -> view.padded("too long!"));
        assertThatIllegalArgumentException().isThrownBy(() -> view.prefixed("too long!"));
        assertThat(segment.mismatch(VIEWS.allocate(Arena.ofAuto(), 2))).isEqualTo(-1);
    }

    @Test
    void bitField_thatIsWritten_leavesItsNeighbour() {
        view.version(9);
        view.ihl(6);
        long at = VIEWS.byteSize() + VIEWS.field("ihl").byteOffset();
        assertThat(segment.get(JAVA_BYTE, at)).isEqualTo((byte) 0x96);
        assertThat(VIEWS.intField(PacketView::version).getAtIndex(segment, 1)).isEqualTo(9);
    }

    interface WholeView {
        int[] values();

        void values(int[] values);
    }

    @Test
    void countedArray_asAWhole_isAsLongAsItsCount() {
        view.count(2).values(0, 7).values(1, 8);
        WholeView whole = ViewMapper.of(WholeView.class, VIEWS.type()).viewAtIndex(segment, 1);
        assertThat(whole.values()).containsExactly(7, 8);
        whole.values(new int[]{1, 2});
        assertThat(whole.values()).containsExactly(1, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> whole.values(new int[3]));
        view.count(5);
        assertThatIllegalArgumentException().isThrownBy(whole::values);
    }

    interface TextView {
        String text();

        void text(String text);

        int odd();
    }

    @Test
    void view_overAGivenStruct_needsNoAnnotation() {
        StructType struct = StructType.builder("S")
                .add("odd", UnsignedType.of(3))
                .add("text", StringType.of(6, StandardCharsets.UTF_8).withPadding(StringType.Padding.SPACE))
                .add("rest", new ArrayType(ValueType.of(byte.class), 3, 1, Optional.empty()))
                .build();
        ViewMapper<TextView> mapper = ViewMapper.of(TextView.class, struct);
        MemorySegment one = mapper.allocate(Arena.ofAuto(), 1);
        mapper.intField("odd").set(one, 0, 0xabcdef);
        TextView text = mapper.view(one, 0);
        text.text("ab");
        assertThat(text.text()).isEqualTo("ab");
        assertThat(one.asSlice(3, 6).toArray(JAVA_BYTE)).isEqualTo("ab    ".getBytes(StandardCharsets.UTF_8));
        assertThat(text.odd()).isEqualTo(0xabcdef);
    }

    sealed interface Body permits Login, Ping, Raw {}

    @Value('L')
    record Login(@Unsigned(4) long user) implements Body {}

    @Value('P')
    record Ping() implements Body {}

    @Otherwise
    record Raw(@Length(8) byte[] bytes) implements Body {}

    record Message(@Unsigned(1) int kind, @Union("kind") Body body) {}

    interface MessageView {
        int kind();

        MessageView kind(int kind);

        BodyView body();
    }

    interface BodyView {
        Login login();

        void login(Login login);

        RawView raw();
    }

    interface RawView {
        byte bytes(long index);
    }

    @Test
    void view_ofAUnion_readsEachRecord() {
        RecordMapper<Message> records = RecordMapper.of(Message.class);
        ViewMapper<MessageView> views = ViewMapper.of(MessageView.class, records.type());
        MemorySegment one = views.allocate(Arena.ofAuto(), 1);
        MessageView message = views.view(one, 0).kind('L');
        message.body().login(new Login(4_000_000_000L));
        assertThat(records.get(one, 0)).isEqualTo(new Message('L', new Login(4_000_000_000L)));
        assertThat(message.body().raw().bytes(0)).isEqualTo((byte) 4_000_000_000L);
        message.kind('P');
        assertThat(records.get(one, 0)).isEqualTo(new Message('P', new Ping()));
        assertThat(records.longField("body.login.user").get(one, 0)).isEqualTo(4_000_000_000L);
        message.kind('?');
        assertThat(records.get(one, 0).body()).isInstanceOf(Raw.class);
    }

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
    void view_ofEveryKindOfMember_readsAndWritesWhatTheRecordDoes() {
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
        assertThat(view).hasToString("EverythingView { flag = true, "
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
        assertRefused(() -> view.points(new Point[2]), "Array has another length: class=" + ArraysView.class.getName()
                + ", component=points");
        assertThat(view).hasToString("ArraysView { tag = 0, colours = [BLUE, RED], points = [Point[x=1, y=2], "
                + "Point[x=3, y=4], Point[x=5, y=6]], addresses = [0x10, 0x20] }");
    }
}
