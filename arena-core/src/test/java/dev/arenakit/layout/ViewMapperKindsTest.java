package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
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
import org.junit.jupiter.api.Test;

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
    void view_ofEachKind_writesWhatTheRecordReads() {
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
    }

    @Test
    void view_ofEachKind_readsWhatTheRecordWrote() {
        RECORDS.setAtIndex(segment, 1, new Packet(40_000, 5, 5, 6, new int[]{1, 2, 200}, 3, new int[]{7, 8, 9},
                new String[]{"a", "b", "c"}, "pad", "pre", MemorySegment.NULL));
        assertThat(view).hasToString("""
                PacketView { port = 40000, nanos = 5, ihl = 5, version = 6, small = [1, 2, 200], count = 3, \
                values = [7, 8, 9], names = ["a", "b", "c"], padded = "pad", prefixed = "pre", next = 0x0 }""");
        assertThat(view.next().byteSize()).isZero();
    }

    @Test
    void setter_ofAValueThatDoesNotFit_changesNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> view.port(65_536))
                .withMessageStartingWith("Value does not fit: class=" + PacketView.class.getName()
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
}
