package dev.arenakit.layout;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.annotation.Anonymous;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.TargetType;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Structs as C headers have them: unions without a discriminator, anonymous members, pointers to structs, flexible
/// arrays, and texts in further charsets.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class CStructsTest {
    @AutoClose
    private final Arena arena = Arena.ofConfined();

    @Union
    @Name("epoll_data")
    interface EpollData {
        MemorySegment ptr();

        int fd();

        void fd(int value);

        @Unsigned(4)
        int u32();

        @Unsigned(8)
        long u64();

        void u64(long value);
    }

    @Packed
    @Name("epoll_event")
    @Members({"events", "data"})
    interface EpollEvent {
        @Unsigned(4)
        int events();

        void events(int value);

        EpollData data();
    }

    @Packed
    @Name("epoll_event")
    record EpollEventBytes(@Unsigned(4) int events, @Union(of = EpollData.class) byte[] data) {}

    @Union
    interface Offset {
        @Unsigned(8)
        long off();

        void off(long value);

        @Unsigned(8)
        long addr2();

        @Anonymous
        Command command();
    }

    @Members({"cmd_op", "__pad1"})
    interface Command {
        @Unsigned(4)
        int cmd_op();

        @Unsigned(4)
        int __pad1();
    }

    @Union
    interface Address {
        @Unsigned(8)
        long addr();

        void addr(long value);

        @Unsigned(8)
        long splice_off_in();
    }

    @Union
    interface Flags {
        @Unsigned(4)
        int rw_flags();

        @Unsigned(2)
        short poll_events();
    }

    @Union
    interface Buffer {
        @Unsigned(2)
        short buf_index();

        @Unsigned(2)
        short buf_group();
    }

    @Union
    interface SpliceFile {
        int splice_fd_in();

        @Unsigned(4)
        int file_index();
    }

    @Members({"addr3", "__pad2"})
    interface Rest {
        @Unsigned(8)
        long addr3();

        @Unsigned(8)
        @Length(1)
        long __pad2(long index);
    }

    @Name("io_uring_sqe")
    @Members({"opcode", "flags", "ioprio", "fd", "offset", "address", "len", "opFlags", "user_data", "buffer",
            "personality", "splice", "rest"})
    interface Sqe {
        @Unsigned(1)
        byte opcode();

        @Unsigned(1)
        byte flags();

        @Unsigned(2)
        short ioprio();

        int fd();

        @Anonymous
        Offset offset();

        @Anonymous
        Address address();

        @Unsigned(4)
        int len();

        @Anonymous
        Flags opFlags();

        @Unsigned(8)
        long user_data();

        @Anonymous
        Buffer buffer();

        @Unsigned(2)
        short personality();

        @Anonymous
        SpliceFile splice();

        @Anonymous
        Rest rest();
    }

    @Name("io_uring_cqe")
    @Members({"user_data", "res", "flags", "big_cqe"})
    interface Cqe {
        @Unsigned(8)
        long user_data();

        int res();

        @Unsigned(4)
        int flags();

        @Length(flexible = true)
        @Unsigned(8)
        long big_cqe(long index);
    }

    @Members({"op", "resv", "flags", "resv2"})
    interface ProbeOp {
        @Unsigned(1)
        byte op();

        void op(byte value);

        @Unsigned(1)
        byte resv();

        @Unsigned(2)
        short flags();

        @Unsigned(4)
        int resv2();
    }

    @Name("io_uring_probe")
    @Members({"last_op", "ops_len", "resv", "resv2", "ops"})
    interface Probe {
        @Unsigned(1)
        byte last_op();

        @Unsigned(1)
        byte ops_len();

        @Unsigned(2)
        short resv();

        @Unsigned(4)
        @Length(3)
        int resv2(long index);

        @Length(flexible = true)
        ProbeOp ops(long index);
    }

    @Union
    @Name("sigval")
    interface SigVal {
        int sival_int();

        MemorySegment sival_ptr();
    }

    @Name("sigaction_value")
    @Members({"value", "signo"})
    interface Signal {
        SigVal value();

        int signo();
    }

    @Test
    void view_unionWithoutDiscriminator_sharesMemory() {
        ViewMapper<EpollEvent> mapper = ViewMapper.of(EpollEvent.class);
        MemorySegment segment = mapper.allocateZeroed(arena);
        EpollEvent event = mapper.view(segment);
        event.events(1);
        event.data().u64(0x1_0000_0007L);
        assertThat(event.data().fd()).isEqualTo(7);
        event.data().fd(8);
        assertThat(segment.get(JAVA_LONG_UNALIGNED, 4)).isEqualTo(0x1_0000_0008L);
        assertThat(mapper.type().member("data").orElseThrow().type()).isInstanceOf(UnionType.class);
        assertThat(event.toString()).contains("fd = 8");
    }

    @Test
    void record_unionWithoutDiscriminator_isItsBytes() {
        RecordMapper<EpollEventBytes> mapper = RecordMapper.of(EpollEventBytes.class);
        assertThat(mapper.type()).isEqualTo(ViewMapper.of(EpollEvent.class).type());
        MemorySegment segment = mapper.allocate(arena);
        byte[] bytes = {7, 0, 0, 0, 1, 0, 0, 0};
        mapper.set(segment, new EpollEventBytes(3, bytes));
        assertThat(mapper.get(segment).data()).isEqualTo(bytes);
        assertThat(ViewMapper.of(EpollEvent.class).view(segment).data().u64()).isEqualTo(0x1_0000_0007L);
        // A struct that is given has the bytes, too, whatever the record declares.
        assertThat(RecordMapper.of(OnlyBytes.class, mapper.type()).get(segment).data()).isEqualTo(bytes);
    }

    record OnlyBytes(@Length(8) byte[] data) {}

    record TwoEvents(@Length(2) EpollEventBytes[] events) {}

    record TwoOnlyBytes(@Length(2) OnlyBytes[] events) {}

    @Test
    void recordsOfSomeMembers_unionWithoutDiscriminator_writeItsBytesAlone() {
        RecordMapper<TwoEvents> mapper = RecordMapper.of(TwoEvents.class);
        MemorySegment segment = mapper.allocate(arena);
        mapper.set(segment,
                new TwoEvents(new EpollEventBytes[]{new EpollEventBytes(3, new byte[8]),
                        new EpollEventBytes(4, new byte[8])}));
        byte[] bytes = {7, 0, 0, 0, 1, 0, 0, 0};
        RecordMapper.of(TwoOnlyBytes.class, mapper.type())
                .set(segment, new TwoOnlyBytes(new OnlyBytes[]{new OnlyBytes(bytes), new OnlyBytes(bytes)}));
        assertThat(mapper.get(segment).events()).extracting(EpollEventBytes::events).containsExactly(3, 4);
        assertThat(mapper.get(segment).events()).extracting(EpollEventBytes::data).containsExactly(bytes, bytes);
    }

    @Test
    void type_ofAnonymousMembers_isTextAndDump() throws IOException {
        StructType sqe = ViewMapper.of(Sqe.class).type();
        assertThat(LayoutText.parse(LayoutText.print(sqe))).isEqualTo(sqe);
        StringBuilder text = new StringBuilder();
        LayoutDump.of(sqe).append(arena.allocate(64, 8), text);
        assertThat(text).contains("anon_offset", "anon_address");
    }

    @Test
    void toCHeader_structsOfSystemHeaders_pass(@TempDir Path directory) throws IOException, InterruptedException {
        Programs.assumeHeader("linux/io_uring.h");
        StringBuilder program = new StringBuilder("""
                #define _GNU_SOURCE
                #include <linux/io_uring.h>
                #include <signal.h>
                #include <sys/epoll.h>
                typedef union epoll_data epoll_data; typedef struct epoll_event epoll_event;
                typedef union sigval sigval; typedef struct io_uring_sqe io_uring_sqe;
                typedef struct io_uring_cqe io_uring_cqe; typedef struct io_uring_probe io_uring_probe;
                #define ARENAKIT_epoll_data
                #define ARENAKIT_epoll_event
                #define ARENAKIT_sigval
                #define ARENAKIT_io_uring_sqe
                #define ARENAKIT_io_uring_cqe
                #define ARENAKIT_io_uring_probe
                """);
        for (Class<?> view : List.of(EpollEvent.class, Signal.class, Sqe.class, Cqe.class, Probe.class)) {
            program.append(LayoutText.toCHeader(ViewMapper.of(view).type()));
        }
        assertThat(Programs.gcc(directory, program + "int main(void) { return 0; }\n")).isEmpty();
    }

    @Test
    void toCHeader_anonymousMembers_compileAlone(@TempDir Path directory) throws IOException, InterruptedException {
        String header = LayoutText.toCHeader(ViewMapper.of(Sqe.class).type());
        assertThat(header).contains("arenakit_assert(io_uring_sqe, off, 8, 8, unsigned);",
                "arenakit_assert(io_uring_sqe, cmd_op, 8, 4, unsigned);").doesNotContain("} anon_");
        StructType twice = LayoutText.parse("""
                #pragma layout 2
                struct Twice { union { int32_t x; int64_t y; } anon_1; struct { int32_t x; } anon_2; };
                """);
        assertThat(Programs.gcc(directory, header + LayoutText.toCHeader(twice) + LayoutText.toCHeader(
                ViewMapper.of(Probe.class).type()) + "int main(void) { return 0; }\n")).isEmpty();
    }

    record Node(long id, @TargetType(Node.class) MemorySegment next) {}

    @Members({"events", "last"})
    interface Queue {
        int events();

        @TargetType(EpollEvent.class)
        MemorySegment last();

        void last(MemorySegment value);
    }

    @Test
    void targetType_ofTheRecordItself_isFollowedByOneCall() {
        RecordMapper<Node> nodes = RecordMapper.of(Node.class);
        MemorySegment second = nodes.allocateFrom(arena, new Node(2, MemorySegment.NULL));
        MemorySegment first = nodes.allocateFrom(arena, new Node(1, second));
        assertThat(nodes.get(nodes.get(first).next()).id()).isEqualTo(2);
        assertThat(nodes.get(nodes.get(first).next()).next().byteSize()).isZero();
        AddressType next = (AddressType) nodes.type().member("next").orElseThrow().type();
        assertThat(((StructType) next.target().orElseThrow()).name()).isEqualTo("Node");
        assertThat(LayoutText.parse(LayoutText.print(nodes.type()))).isEqualTo(nodes.type());
    }

    @Test
    void targetType_ofAView_isFollowedByOneCall() {
        ViewMapper<EpollEvent> events = ViewMapper.of(EpollEvent.class);
        MemorySegment event = events.allocateZeroed(arena);
        events.view(event).events(5);
        ViewMapper<Queue> queues = ViewMapper.of(Queue.class);
        Queue queue = queues.view(queues.allocateZeroed(arena));
        queue.last(event);
        assertThat(events.view(queue.last()).events()).isEqualTo(5);
    }

    record Reader(@TargetByteSize(24) MemorySegment p) {}

    record TypedReader(@TargetType(Node.class) MemorySegment p) {}

    @SuppressWarnings("restricted") // As jextract does.
    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 8, Long.MAX_VALUE})
    void targetByteSize_overAnyGivenPointer_isTheReaders(long targetByteSize) {
        MemoryLayout pointer = targetByteSize < 0
                ? ADDRESS
                : ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(targetByteSize, JAVA_BYTE));
        StructType given = StructType.of(MemoryLayout.structLayout(pointer.withName("p")).withName("Given"));
        MemorySegment segment = arena.allocateFrom(ADDRESS, arena.allocate(24));
        assertThat(RecordMapper.of(Reader.class, given).get(segment).p().byteSize()).isEqualTo(24);
        assertThat(RecordMapper.of(TypedReader.class, given).get(segment).p().byteSize()).isEqualTo(16);
    }

    @Test
    void flexibleArray_ofAView_isAsLongAsTheSegment() {
        ViewMapper<Probe> mapper = ViewMapper.of(Probe.class);
        assertThat(mapper.byteSize()).isEqualTo(16);
        MemorySegment segment = arena.allocate(mapper.byteSize() + 3 * 8, 4);
        Probe probe = mapper.view(segment);
        probe.ops(2).op((byte) 9);
        assertThat(segment.get(JAVA_BYTE, 32)).isEqualTo((byte) 9);
        assertThat(probe.ops(2).op()).isEqualTo((byte) 9);
        for (long index : new long[]{-1, 3, 1L << 44, 1L << 61, Long.MAX_VALUE}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class).as("%s", index)
                    .isThrownBy(() -> probe.ops(index).op());
        }
        assertThat(probe.toString()).contains("ops = []");
        assertThat(LayoutText.parse(LayoutText.print(mapper.type()))).isEqualTo(mapper.type());
    }

    @Members({"data", "count"})
    interface FlexibleFirst {
        @Length(flexible = true)
        int data(long index);

        int count();
    }

    record FlexibleRecord(int count, @Length(flexible = true) int[] data) {}

    @Test
    void flexibleArray_elsewhere_isRefusedWithTheForm() {
        assertRefused(() -> ViewMapper.of(FlexibleFirst.class), "Flexible array is not the last member",
                "component=data");
        assertRefused(() -> RecordMapper.of(FlexibleRecord.class),
                "`@Length(flexible = true) int data(long index)`; records have none");
    }

    record Texts(@Length(4) @Encoding(Encoding.Kind.UTF_32) String wide,
            @Length(5) @Encoding(charset = "windows-1252") String western,
            @Length(value = 3) @Encoding(charset = "ISO-8859-1", padding = Encoding.Padding.SPACE) String latin) {}

    @Test
    void text_inFurtherCharsets_isReadAsWritten() throws IOException {
        RecordMapper<Texts> mapper = RecordMapper.of(Texts.class);
        assertThat(mapper.byteSize()).isEqualTo(24);
        MemorySegment segment = mapper.allocate(arena);
        Texts texts = new Texts("a\ud83d\ude00é", "€ 5", "ö");
        mapper.set(segment, texts);
        assertThat(mapper.get(segment)).isEqualTo(texts);
        assertThat(segment.get(JAVA_INT, 4)).isEqualTo(0x1f600);
        assertThat(segment.get(JAVA_BYTE, 16)).isEqualTo((byte) 0x80);
        StringBuilder text = new StringBuilder();
        LayoutDump.of(mapper.type()).append(segment, text);
        assertThat(text).contains("\"a\ud83d\ude00é\"", "\"€ 5\"", "\"ö\"");
        assertThat(LayoutText.parse(LayoutText.print(mapper.type()))).isEqualTo(mapper.type());
        assertRefused(() -> mapper.set(segment, new Texts("", "中", "")), "lacks");
        assertRefused(() -> mapper.set(segment, new Texts("abcde", "", "")), "too long");
        assertRefused(() -> mapper.set(segment, new Texts("\ud800", "", "")), "lacks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "Shift_JIS", "IBM037", "GB18030"})
    void stringType_otherCharset_isRefused(String charset) {
        assumeTrue(Charset.isSupported(charset), "needs the module jdk.charsets");
        assertRefused(() -> StringType.of(1, Charset.forName(charset)), "an array of bytes");
    }

    @Test
    void toCHeader_textsInFurtherCharsets_compile(@TempDir Path directory) throws IOException, InterruptedException {
        String header = LayoutText.toCHeader(RecordMapper.of(Texts.class).type());
        assertThat(header).contains("#include <uchar.h>", "char32_t wide[4]; /* UTF-32", "windows-1252");
        assertThat(Programs.gcc(directory, header + "int main(void) { return 0; }\n")).isEmpty();
    }

    @Test
    void parse_charsetOfSeveralBytes_isRefused() {
        assertThatExceptionOfType(dev.arenakit.layout.text.LayoutParseException.class)
                .isThrownBy(() -> LayoutText.parse("#pragma layout 2\nstruct S { char @charset(Shift_JIS) s[8]; };"))
                .withMessageContaining("one byte for each character");
    }

    record OnAccessor(String name) {
        @Length(8)
        @Encoding(charset = "US-ASCII")
        @Override
        public String name() {
            return name;
        }
    }

    @Test
    void record_annotationsOnTheAccessor_countWhereTheComponentHasNone() {
        StringType name = (StringType) RecordMapper.of(OnAccessor.class).type().members().getFirst().type();
        assertThat(name).isEqualTo(StringType.of(8, StandardCharsets.US_ASCII));
    }
}
