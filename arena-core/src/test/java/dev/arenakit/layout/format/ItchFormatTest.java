package dev.arenakit.layout.format;

import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Reads and writes messages of the exchange protocol ITCH 5.0: big-endian, not aligned, with a timestamp of 48 bits,
/// and each with its length before it.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class ItchFormatTest {
    @Packed
    @Order(BIG_ENDIAN)
    record Message(@Unsigned(2) int length, @Unsigned(1) int type, @Unsigned(2) int stock, @Unsigned(2) int tracking,
            @Unsigned(6) long nanos, @Union("type") Body body) {}

    sealed interface Body permits Trading, SystemEvent, Raw {}

    sealed interface Trading extends Body permits AddOrder, OrderExecuted, OrderDelete {}

    @Value('A')
    @Packed
    record AddOrder(@Unsigned(8) long order, @Unsigned(1) int side, @Unsigned(4) long shares,
            @Length(8) @Encoding(value = Encoding.Kind.ASCII, padding = Encoding.Padding.SPACE) String symbol,
            @Unsigned(4) long price) implements Trading {}

    @Value('E')
    @Packed
    record OrderExecuted(@Unsigned(8) long order, @Unsigned(4) long shares, @Unsigned(8) long match)
            implements
                Trading {}

    @Value('D')
    @Packed
    record OrderDelete(@Unsigned(8) long order) implements Trading {}

    @Value('S')
    record SystemEvent(@Unsigned(1) int code) implements Body {}

    @Otherwise
    record Raw(@Length(4) byte[] bytes) implements Body {}

    private static final RecordMapper<Message> MESSAGES = RecordMapper.of(Message.class);

    // The messages of the specification as bytes, and a message of a type that this test does not know.
    private static final List<String> BYTES = List.of(
            "000c 53 0000 0000 0a2b3c4d5e6f 4f",
            "0024 41 1f2e 0002 ffffffffffff fedcba9876543210 42 ee6b2800 5a5858545354 2020 0001e240",
            "001f 45 1f2e 0002 000000000001 fedcba9876543210 00000064 0000000000000007",
            "000f 5a 0001 0000 000000000002 01020304",
            "0013 44 1f2e 0002 000000000003 fedcba9876543210");

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static MemorySegment feed() {
        ByteBuffer all = ByteBuffer.allocate(BYTES.stream().mapToInt(hex -> bytes(hex).length).sum());
        BYTES.forEach(hex -> all.put(bytes(hex)));
        return MemorySegment.ofArray(all.array());
    }

    private static List<Message> messages(MemorySegment feed) {
        List<Message> messages = new ArrayList<>();
        for (long at = 0; at < feed.byteSize(); at += 2 + messages.getLast().length()) {
            messages.add(MESSAGES.get(feed, at));
        }
        return messages;
    }

    @Test
    void messages_ofAFeed_areReadToItsEnd() {
        List<Message> messages = messages(feed());
        assertThat(messages).hasSize(5);
        assertThat(messages.get(0)).isEqualTo(
                new Message(12, 'S', 0, 0, 0x0a2b_3c4d_5e6fL, new SystemEvent('O')));
        assertThat(messages.get(1)).isEqualTo(new Message(36, 'A', 0x1f2e, 2, 0xffff_ffff_ffffL,
                new AddOrder(0xfedc_ba98_7654_3210L, 'B', 4_000_000_000L, "ZXXTST", 123_456)));
        assertThat(messages.get(2).body())
                .isEqualTo(new OrderExecuted(0xfedc_ba98_7654_3210L, 100, 7));
        assertThat(((Raw) messages.get(3).body()).bytes()).containsExactly(1, 2, 3, 4);
        assertThat(messages.get(4).body()).isEqualTo(new OrderDelete(0xfedc_ba98_7654_3210L));
    }

    @Test
    void messages_thatAreWrittenAgain_haveTheSameBytes() {
        for (int i = 0; i < BYTES.size(); i++) {
            byte[] expected = bytes(BYTES.get(i));
            Message message = MESSAGES.get(MemorySegment.ofArray(expected), 0);
            MemorySegment copy = MemorySegment.ofArray(new byte[expected.length]);
            MESSAGES.set(copy, 0, message);
            assertThat(copy.toArray(JAVA_BYTE)).as(BYTES.get(i)).isEqualTo(expected);
        }
    }

    @Test
    void message_whoseTypeIsNotThatOfItsBody_isRefused() {
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) MESSAGES.byteSize()]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MESSAGES.set(memory, 0, new Message(12, 'A', 0, 0, 0, new SystemEvent('O'))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MESSAGES.set(memory, 0, new Message(12, 'S', 0, 0, 1L << 48, new SystemEvent('O'))));
        assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) MESSAGES.byteSize()]))).isEqualTo(-1);
    }

    @Test
    void timestamp_byField_isUnsigned() {
        LongField nanos = MESSAGES.longField("nanos");
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) MESSAGES.byteSize()]);
        nanos.set(memory, 0, 86_399_999_999_999L);
        assertThat(nanos.get(memory, 0)).isEqualTo(86_399_999_999_999L);
        assertThat(MESSAGES.field("body.addOrder.symbol").byteOffset()).isEqualTo(26);
        assertThat(new String(memory.asSlice(7, 6).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1))
                .isEqualTo(new String(bytes("4e94914effff"), StandardCharsets.ISO_8859_1));
    }
}
