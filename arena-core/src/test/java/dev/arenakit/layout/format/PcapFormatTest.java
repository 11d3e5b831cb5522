package dev.arenakit.layout.format;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/// Reads captures of packets that Python writes, in both byte orders.
@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class PcapFormatTest {
    private static final long MAGIC = 0xa1b2c3d4L;

    @Name("pcap_hdr_s")
    @Packed
    @Order(LITTLE_ENDIAN)
    record FileHeader(@Unsigned(4) long magic, @Unsigned(2) int major, @Unsigned(2) int minor, int zone,
            @Unsigned(4) long accuracy, @Unsigned(4) long largest, @Unsigned(4) long network) {}

    @Name("pcaprec_hdr_s")
    @Packed
    @Order(LITTLE_ENDIAN)
    record PacketHeader(@Unsigned(4) long seconds, @Unsigned(4) long micros, @Unsigned(4) long captured,
            @Unsigned(4) long original) {}

    enum EtherType {
        @Value(0x0800)
        IPV4, @Value(0x0806)
        ARP, @Value(0x86dd)
        IPV6, @Otherwise
        OTHER
    }

    /// A frame of Ethernet with a packet of IPv4, without options.
    @Packed
    @Order(BIG_ENDIAN)
    record Frame(@Unsigned(6) long target, @Unsigned(6) long source, @ByteSize(2) EtherType type,
            @Bits(4) @Unsigned(1) int version, @Bits(4) @Unsigned(1) int headerWords, @Bits(6) @Unsigned(1) int service,
            @Bits(2) @Unsigned(1) int congestion, @Unsigned(2) int length, @Unsigned(2) int identification,
            @Bits(1) boolean reserved, @Bits(1) boolean whole, @Bits(1) boolean more,
            @Bits(13) @Unsigned(2) int fragment, @Unsigned(1) int timeToLive, @Unsigned(1) int protocol,
            @Unsigned(2) int checksum, @Unsigned(4) long sourceAddress, @Unsigned(4) long targetAddress,
            @Union("protocol") Transport transport) {}

    sealed interface Transport permits Tcp, Udp, Raw {}

    @Value(6)
    @Packed
    record Tcp(@Unsigned(2) int sourcePort, @Unsigned(2) int targetPort, @Unsigned(4) long sequence,
            @Unsigned(4) long acknowledged, @Bits(4) @Unsigned(2) int headerWords, @Bits(6) @Unsigned(2) int reserved,
            @Bits(1) @Unsigned(2) int urgent, @Bits(1) @Unsigned(2) int ack, @Bits(1) @Unsigned(2) int push,
            @Bits(1) @Unsigned(2) int reset, @Bits(1) @Unsigned(2) int synchronise, @Bits(1) @Unsigned(2) int finish,
            @Unsigned(2) int window, @Unsigned(2) int checksum, @Unsigned(2) int urgentPointer)
            implements
                Transport {}

    @Value(17)
    @Packed
    record Udp(@Unsigned(2) int sourcePort, @Unsigned(2) int targetPort, @Unsigned(2) int length,
            @Unsigned(2) int checksum) implements Transport {}

    @Otherwise
    record Raw(@Length(4) byte[] bytes) implements Transport {}

    private static final RecordMapper<Frame> FRAMES = RecordMapper.of(Frame.class);

    @ParameterizedTest
    @CsvSource({"<,LITTLE_ENDIAN", ">,BIG_ENDIAN"})
    void capture_ofPython_hasItsPackets(String order, Order.Endian endian, @TempDir Path directory) throws Exception {
        Programs.python(directory, """
                import struct
                ORDER = '%s'
                def ip(protocol, body):
                    return struct.pack('>BBHHHBBHII', 0x45, 46 << 2 | 1, 20 + len(body), 0xbeef, 0x4000 | 0x0123, 64,
                                       protocol, 0xfedc, 0xc0a80001, 0xffffffff) + body
                def frame(body):
                    return bytes.fromhex('ffffffffffff0123456789ab0800') + body
                tcp = struct.pack('>HHIIHHHH', 443, 65535, 0xfffffff0, 1, 5 << 12 | 0x12, 64240, 0xabcd, 0)
                udp = struct.pack('>HHHH', 53, 40000, 8, 0)
                packets = [frame(ip(6, tcp)), frame(ip(17, udp)), frame(ip(1, b'\\x08\\x00\\x01\\x02'))]
                with open('packets.pcap', 'wb') as out:
                    out.write(struct.pack(ORDER + 'IHHiIII', 0xa1b2c3d4, 2, 4, -3600, 0, 65535, 1))
                    for i, packet in enumerate(packets):
                        out.write(struct.pack(ORDER + 'IIII', 4000000000 + i, 999999 - i, len(packet), len(packet)))
                        out.write(packet)
                """.formatted(order));
        MemorySegment file = MemorySegment.ofArray(Files.readAllBytes(directory.resolve("packets.pcap")));
        ByteOrder byteOrder = endian == BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        RecordMapper<FileHeader> header = RecordMapper.of(FileHeader.class, withOrder(FileHeader.class, byteOrder));
        RecordMapper<PacketHeader> packet = RecordMapper.of(PacketHeader.class,
                withOrder(PacketHeader.class, byteOrder));

        assertThat(header.get(file, 0)).isEqualTo(new FileHeader(MAGIC, 2, 4, -3600, 0, 65_535, 1));
        List<Frame> frames = new ArrayList<>();
        long at = header.byteSize();
        for (int i = 0; at < file.byteSize(); i++) {
            PacketHeader next = packet.get(file, at);
            assertThat(next.seconds()).isEqualTo(4_000_000_000L + i);
            assertThat(next.micros()).isEqualTo(999_999 - i);
            at += packet.byteSize();
            frames.add(FRAMES.get(file, at)); // The last ones are shorter than a frame with TCP.
            at += next.captured();
        }

        assertThat(frames).hasSize(3)
                .allMatch(frame -> frame.target() == 0xffff_ffff_ffffL && frame.source() == 0x0123_4567_89abL)
                .allMatch(frame -> frame.type() == EtherType.IPV4 && frame.version() == 4 && frame.headerWords() == 5)
                .allMatch(frame -> frame.service() == 46 && frame.congestion() == 1 && frame.identification() == 0xbeef)
                .allMatch(frame -> !frame.reserved() && frame.whole() && !frame.more() && frame.fragment() == 0x0123)
                .allMatch(frame -> frame.checksum() == 0xfedc && frame.targetAddress() == 0xffff_ffffL);
        assertThat(frames.get(0).transport()).isEqualTo(
                new Tcp(443, 65_535, 0xffff_fff0L, 1, 5, 0, 0, 1, 0, 0, 1, 0, 64_240, 0xabcd, 0));
        assertThat(frames.get(1).transport()).isEqualTo(new Udp(53, 40_000, 8, 0));
        assertThat(frames.get(2).protocol()).isEqualTo(1);
        assertThat(((Raw) frames.get(2).transport()).bytes()).containsExactly(8, 0, 1, 2);
    }

    private static StructType withOrder(Class<?> record, ByteOrder order) throws IOException {
        return RecordMapper.of(record).type().withOrder(order);
    }
}
