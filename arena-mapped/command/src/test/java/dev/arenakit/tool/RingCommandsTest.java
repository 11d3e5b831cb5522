package dev.arenakit.tool;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.mapped.RingFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// What the commands do with a ring in a file.
class RingCommandsTest extends InSharedMemory {
    private static final long PID = ProcessHandle.current().pid();
    private static final Pattern COMMITTED = Pattern.compile(
            "\"position\":(\\d+),\"state\":\"committed\",\"type\":5,\"byteSize\":(\\d+),\"pid\":null,\"bytes\":\"(\\w*)\"");

    @Test
    void show_recordsInAllStates_areListed() throws IOException {
        try (TestRing _ = TestRing.fill(base)) {
            ToolRun run = onBase("show").succeeds();
            assertThat(TestImage.cells(run.out())).containsExactly(
                    base + ": 512 B of 1 KiB unread; 2 producers, a reader",
                    "POSITION|STATE|TYPE|SIZE|PROCESS|BYTES",
                    "|928|committed|7|5 B|68 65 6c 6c 6f||hello|",
                    "|960|skipped|48 B",
                    "|1024|committed|-2|96 B|6d 65 73 73 61 67 65 20||message |",
                    "|1136|claimed|50 B|" + PID,
                    "|1216|abandoned|20 B",
                    "|1264|skipped|4 B",
                    "|1296|committed|9|0 B",
                    "|1312|gap|80 B|" + PID,
                    "|1408|committed|8|5 B|00 6c 61 73 74||.last|");
        }
    }

    @Test
    void show_options_selectRecordsAndPrintMessages() throws IOException {
        try (TestRing _ = TestRing.fill(base)) {
            assertThat(onBase("show", "--skip", "2", "--limit", "1", "--bytes").out()).endsWith("""
                    POSITION  STATE      TYPE  SIZE
                        1024  committed    -2  96 B
                    00000000  6d 65 73 73 61 67 65 20  6d 65 73 73 61 67 65 20  |message message |
                    *
                    00000060
                    (left out: 8 of 9 records)
                    """);
            assertThat(onBase("show", "--json", "--limit", "2").out().lines().skip(1)).containsExactly(
                    "{\"kind\":\"ring\",\"base\":\"" + base + "\",\"unread\":512,\"capacity\":1024,\"read\":928,"
                            + "\"written\":1440,\"skippedClaims\":0,\"producers\":2,\"reader\":true}",
                    "{\"kind\":\"record\",\"position\":928,\"state\":\"committed\",\"type\":7,\"byteSize\":5,\"pid\":null,"
                            + "\"bytes\":\"68656c6c6f\"}",
                    "{\"kind\":\"record\",\"position\":960,\"state\":\"skipped\",\"type\":null,\"byteSize\":48,"
                            + "\"pid\":null,\"bytes\":null}");
        }
    }

    @Test
    void show_longMessage_isCut() throws IOException {
        try (RingFile file = RingFile.create(base, 1 << 17)) {
            TestRing.send(file.newProducer(), 1, "x".repeat(60_000));
        }
        ToolRun run = onBase("show", "--bytes");
        assertThat(run.out()).contains("; no producer, no reader\n", "58.6 KiB\n")
                .endsWith("*\n00001000\n(left out: 55904 of 60000 bytes)\n");
    }

    @Test
    void show_emptyRing_isOneLine() throws IOException {
        RingFile.create(base, TestRing.CAPACITY).close();
        assertThat(onBase("show").out()).isEqualTo(base + ": 0 B of 1 KiB unread; no producer, no reader\n");
        assertThat(onBase("verify").out())
                .isEqualTo(base + ": no problem in 0 records; 0 B of 1 KiB unread; no producer, no reader\n");
    }

    /// A program can also make a ring in a file that it has mapped.
    @Test
    void show_ringOfAMappedFile_doesNotKnowItsUsers() throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(base, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            RingBuffer ring = RingBuffer
                    .spsc(channel.map(FileChannel.MapMode.READ_WRITE, 0, RingBuffer.byteSize(64), arena));
            TestRing.send(ring, 3, "abc");
            ring.claim(8);
        }
        assertThat(TestImage.cells(onBase("show").out())).containsExactly(
                base + ": 64 B of 64 B unread; producers and reader unknown", "POSITION|STATE|TYPE|SIZE|BYTES",
                "|0|committed|3|3 B|61 62 63||abc|", "|32|claimed|8 B");
    }

    @Test
    void commands_leaveNoTraceAndDisturbNobody() throws IOException {
        try (TestRing ring = TestRing.fill(base)) {
            byte[] before = Files.readAllBytes(base);
            Files.setLastModifiedTime(base, FileTime.from(Instant.EPOCH));
            for (String command : List.of("show", "verify", "ls", "hexdump")) {
                onBase(command);
            }
            assertThat(Files.readAllBytes(base)).isEqualTo(before);
            assertThat(Files.getLastModifiedTime(base)).isEqualTo(FileTime.from(Instant.EPOCH));
            try (var files = Files.list(directory)) {
                assertThat(files).containsExactly(base);
            }
            TestRing.send(ring.file.newProducer(), 1, "more");
        }
    }

    @Test
    void verify_soundRing_hasNotesForClaimsOfDeadProducers() throws IOException {
        try (TestRing _ = TestRing.fill(base)) {
            assertThat(onBase("verify").exits(0).out())
                    .isEqualTo(base + ": note: The reader will skip a claim whose producer has ended:"
                            + " position=1216, byteSize=20\n" + base
                            + ": no problem in 9 records; 512 B of 1 KiB unread; 2 producers, a reader\n");
        }
        assertThat(onBase("verify").exits(0).out()).contains("producer has ended: position=1136",
                "producer has ended: position=1216",
                "producer has written no record: position=1312, byteSize=80", "no producer, no reader\n");
    }

    @ParameterizedTest
    @CsvSource({"16, 4096, Header of a ring is damaged: capacity=4096",
            "384, 1472, 'Positions of a ring are damaged: head=1472, tail=1440'",
            "384, 16, 'Positions of a ring are damaged: head=16, tail=1440'", "128, 1457, tail=1457",
            "128, -16, tail=-16",
            "256, 944, head copy=944", "392, -1, skipped claims=-1",
            "33704, 0, 'Record of a ring is damaged: position=928, state=0'",
            "33704, 3221225568, 'Record of a ring is damaged: position=928, state=3, byteSize=96'",
            "33704, 2147484592, 'Record of a ring is damaged: position=928, state=2, byteSize=944'"})
    void verify_damage_isAProblem(long at, long word, String message) throws IOException {
        TestRing.fill(base).close();
        try (FileChannel channel = FileChannel.open(base, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, word), at);
        }
        ToolRun run = onBase("verify").exits(1);
        assertThat(run.out()).startsWith(base + ": ").contains(message).endsWith(base + ": 1 problem\n");
        assertThat(onBase("show").exits(1).err()).startsWith("arena: " + base + ": ").contains(message);
    }

    @Test
    void verify_truncatedFile_isAProblem() throws IOException {
        TestRing.fill(base).close();
        try (FileChannel channel = FileChannel.open(base, StandardOpenOption.WRITE)) {
            channel.truncate(33_000);
            assertThat(onBase("verify").out()).contains("smaller than its ring: byteSize=33000");
            channel.truncate(100);
        }
        assertThat(onBase("verify").exitCode()).isEqualTo(1);
        assertThat(onBase("verify", "--json").out()).endsWith(
                "{\"kind\":\"ring\",\"base\":\"" + base
                        + "\",\"problems\":1,\"records\":0,\"unread\":null,\"capacity\":null}\n");
    }

    @Test
    @Tag("full")
    void commands_randomBytes_endWithoutExceptions() throws IOException {
        TestRing.fill(base).close();
        byte[] original = Files.readAllBytes(base);
        SplittableRandom random = new SplittableRandom(1);
        int[] exitCodes = new int[3];
        try (FileChannel channel = FileChannel.open(base, StandardOpenOption.WRITE)) {
            for (int round = 0; round < 400; round++) {
                byte[] changed = original.clone();
                for (int i = random.nextInt(8); i >= 0; i--) {
                    int at = switch (random.nextInt(4)) {
                        case 0 -> 8 + random.nextInt(640);
                        case 1 -> 128 * (1 + random.nextInt(3)) + random.nextInt(16);
                        default -> 32_768 + random.nextInt(TestRing.CAPACITY);
                    };
                    changed[at] = (byte) random.nextInt();
                }
                channel.write(ByteBuffer.wrap(changed), 0);
                ToolRun run = switch (random.nextInt(3)) {
                    case 0 -> onBase("show");
                    case 1 -> onBase("show", "--json");
                    default -> onBase("verify");
                };
                assertThat(run.err()).as("round=%d", round).doesNotContain("Exception", "unexpected");
                exitCodes[run.exitCode()]++;
            }
        }
        assertThat(exitCodes[0]).isGreaterThan(10);
        assertThat(exitCodes[1]).isGreaterThan(10);
    }

    @Test
    @Tag("full")
    void show_whileAnotherProcessSends_hasWholeMessages() throws Exception {
        Process writer = TestRing.start(base);
        try {
            int messages = 0;
            for (int round = 0; round < 30; round++) {
                ToolRun run = onBase("show", "--json").succeeds();
                long last = -1;
                for (Matcher found = COMMITTED.matcher(run.out()); found.find();) {
                    assertThat(Long.parseLong(found.group(1))).isGreaterThan(last);
                    last = Long.parseLong(found.group(1));
                    messages++;
                    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(found.group(3)))
                            .order(ByteOrder.LITTLE_ENDIAN);
                    long number = bytes.getLong(0);
                    assertThat(Long.parseLong(found.group(2))).isEqualTo(bytes.capacity())
                            .isEqualTo(Long.BYTES * (1 + number * 7 % 40));
                    while (bytes.hasRemaining()) {
                        assertThat(bytes.getLong()).isEqualTo(number);
                    }
                }
                assertThat(onBase("verify").exits(0).out()).contains(": no problem in ", "; 1 producer, a reader")
                        .doesNotContain("note");
            }
            assertThat(messages).isPositive();
        } finally {
            writer.destroyForcibly().waitFor();
        }
        assertThat(onBase("show").out()).contains("; no producer, no reader\n");
    }

    @Test
    void options_ofStructs_areRefused() throws IOException {
        TestRing.fill(base).close();
        for (String option : List.of("--type=int32_t", "--where=id == 1", "--pretty", "trades")) {
            assertThat(onBase("show", option).exits(2).err()).as(option).contains("is a ring");
        }
        assertThat(onBase("ls").err()).contains(base + " is a ring (try arena show " + base + ")");
    }

    /// The name of an image has precedence.
    @Test
    void image_withAFileThatIsARingBesideIt_isShown() throws IOException {
        TestImage.closed(base);
        TestRing.fill(base).close();
        assertThat(onBase("show", "--limit", "1").out()).contains("trades");
    }
}
