package dev.arenakit.layout.format;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares structs of Linux with what a C program reads from the same bytes.
class SystemStructsInCTest {
    @Name("timespec")
    record Time(@Name("tv_sec") long seconds, @Name("tv_nsec") long nanos) {}

    /// On x86-64.
    @Name("stat")
    record Stat(@Name("st_dev") @Unsigned(8) long device, @Name("st_ino") @Unsigned(8) long inode,
            @Name("st_nlink") @Unsigned(8) long links, @Name("st_mode") @Unsigned(4) long mode,
            @Name("st_uid") @Unsigned(4) long user, @Name("st_gid") @Unsigned(4) long group, int padding,
            @Name("st_rdev") @Unsigned(8) long special, @Name("st_size") long size, @Name("st_blksize") long blockSize,
            @Name("st_blocks") long blocks, @Name("st_atim") Time accessed, @Name("st_mtim") Time modified,
            @Name("st_ctim") Time changed) {}

    /// The beginning of the struct, which later versions of Linux extend.
    @Name("tcp_info")
    record TcpInfo(@Name("tcpi_state") @Unsigned(1) int state, @Name("tcpi_ca_state") @Unsigned(1) int congestion,
            @Name("tcpi_retransmits") @Unsigned(1) int retransmits, @Name("tcpi_probes") @Unsigned(1) int probes,
            @Name("tcpi_backoff") @Unsigned(1) int backoff, @Name("tcpi_options") @Unsigned(1) int options,
            @Name("tcpi_snd_wscale") @Bits(4) @Unsigned(1) int sendScale,
            @Name("tcpi_rcv_wscale") @Bits(4) @Unsigned(1) int receiveScale,
            @Name("tcpi_delivery_rate_app_limited") @Bits(1) @Unsigned(1) int limited,
            @Name("tcpi_fastopen_client_fail") @Bits(2) @Unsigned(1) int fastOpenFailure,
            @Name("tcpi_rto") @Unsigned(4) long timeout, @Name("tcpi_ato") @Unsigned(4) long ackTimeout,
            @Name("tcpi_snd_mss") @Unsigned(4) long sendSize, @Name("tcpi_rcv_mss") @Unsigned(4) long receiveSize,
            @Name("tcpi_unacked") @Unsigned(4) long unacknowledged, @Name("tcpi_sacked") @Unsigned(4) long selected,
            @Name("tcpi_lost") @Unsigned(4) long lost, @Name("tcpi_retrans") @Unsigned(4) long retransmitted,
            @Name("tcpi_fackets") @Unsigned(4) long forward, @Name("tcpi_last_data_sent") @Unsigned(4) long dataSent,
            @Name("tcpi_last_ack_sent") @Unsigned(4) long ackSent,
            @Name("tcpi_last_data_recv") @Unsigned(4) long dataReceived,
            @Name("tcpi_last_ack_recv") @Unsigned(4) long ackReceived, @Name("tcpi_pmtu") @Unsigned(4) long pathUnit,
            @Name("tcpi_rcv_ssthresh") @Unsigned(4) long receiveThreshold, @Name("tcpi_rtt") @Unsigned(4) long rtt,
            @Name("tcpi_rttvar") @Unsigned(4) long rttVariance, @Name("tcpi_snd_ssthresh") @Unsigned(4) long threshold,
            @Name("tcpi_snd_cwnd") @Unsigned(4) long window, @Name("tcpi_advmss") @Unsigned(4) long advertised,
            @Name("tcpi_reordering") @Unsigned(4) long reordering, @Name("tcpi_rcv_rtt") @Unsigned(4) long receiveRtt,
            @Name("tcpi_rcv_space") @Unsigned(4) long receiveSpace,
            @Name("tcpi_total_retrans") @Unsigned(4) long allRetransmitted,
            @Name("tcpi_pacing_rate") @Unsigned(8) long pacingRate,
            @Name("tcpi_max_pacing_rate") @Unsigned(8) long largestPacingRate) {}

    private static final RecordMapper<Stat> STATS = RecordMapper.of(Stat.class);
    private static final RecordMapper<TcpInfo> INFOS = RecordMapper.of(TcpInfo.class);

    /// A program that fills a struct with bytes, and prints these and all members.
    private static String program(String include, String struct, List<String> members) {
        StringBuilder program = new StringBuilder("""
                #include <stdio.h>
                #include <string.h>
                #include %s
                int main(void) {
                    struct %s s;
                    unsigned char bytes[sizeof s];
                    for (unsigned i = 0; i < sizeof s; i++) {
                        bytes[i] = (unsigned char) (i * 37 + 129);
                        printf("%%02x", bytes[i]);
                    }
                    memcpy(&s, bytes, sizeof s);
                """.formatted(include, struct));
        members.forEach(member -> program.append("printf(\"\\n%%lld\", (long long) s.%s);\n".formatted(member)));
        return program.append("return 0; }").toString();
    }

    private static void compare(RecordMapper<?> mapper, List<String> members, List<String> printed) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = HexFormat.of().parseHex(printed.getFirst());
            MemorySegment struct = mapper.allocate(arena, 1 + bytes.length / mapper.byteSize());
            MemorySegment.copy(bytes, 0, struct, JAVA_BYTE, 0, bytes.length);
            for (int i = 0; i < members.size(); i++) {
                assertThat(mapper.longField(members.get(i)).get(struct, 0)).as(members.get(i))
                        .isEqualTo(Long.parseLong(printed.get(i + 1)));
            }
        }
    }

    @Test
    void stat_ofBytes_isWhatCReads(@TempDir Path directory) throws Exception {
        Programs.assumeInstalled("gcc");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the struct is that of x86-64");
        List<String> members = List.of("st_dev", "st_ino", "st_nlink", "st_mode", "st_uid", "st_gid", "st_rdev",
                "st_size", "st_blksize", "st_blocks", "st_atim.tv_sec", "st_atim.tv_nsec", "st_mtim.tv_sec",
                "st_mtim.tv_nsec", "st_ctim.tv_sec", "st_ctim.tv_nsec");
        compare(STATS, members, Programs.gcc(directory, program("<sys/stat.h>", "stat", members), "-D_GNU_SOURCE"));
    }

    @Test
    void stat_ofAFile_isWhatTheJdkReads(@TempDir Path directory) throws Exception {
        Programs.assumeInstalled("gcc");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the struct is that of x86-64");
        Path file = Files.writeString(directory.resolve("file.txt"), "content");
        List<String> printed = Programs.gcc(directory, """
                #include <stdio.h>
                #include <sys/stat.h>
                int main(void) {
                    struct stat s;
                    if (stat("file.txt", &s) != 0) return 1;
                    for (unsigned i = 0; i < sizeof s; i++) printf("%02x", ((unsigned char *) &s)[i]);
                    return 0;
                }
                """);
        try (Arena arena = Arena.ofConfined()) {
            Stat stat = STATS.get(arena.allocateFrom(JAVA_LONG, longs(printed)), 0);
            assertThat(stat.size()).isEqualTo(7);
            assertThat(stat.inode()).isEqualTo(Files.getAttribute(file, "unix:ino"));
            assertThat(stat.links()).isEqualTo(1);
            assertThat((int) stat.mode()).isEqualTo(Files.getAttribute(file, "unix:mode"));
            assertThat(stat.modified().seconds()).isEqualTo(Files.getLastModifiedTime(file).toMillis() / 1000);
        }
    }

    private static long[] longs(List<String> printed) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(printed.getFirst()))
                .toArray(JAVA_LONG_UNALIGNED);
    }

    @Test
    void tcpInfo_ofBytes_isWhatCReads(@TempDir Path directory) throws Exception {
        Programs.assumeInstalled("gcc");
        assumeTrue(Files.exists(Path.of("/usr/include/linux/tcp.h")), "the headers of Linux are not installed");
        List<String> members = INFOS.type().members().stream().map(member -> member.name()).toList();
        compare(INFOS, members, Programs.gcc(directory, program("<linux/tcp.h>", "tcp_info", members)));
    }
}
