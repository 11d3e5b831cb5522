package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Kills processes that append rows to a table, and reads a table beside its writer.
class GrowableTableKillTest extends InDirectory {
    private static final int KILLS = 500;

    GrowableTableKillTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void append_killed_leavesEachRowThatHadReturnedAndNoOther() throws Exception {
        for (int seed = 0; seed < 2; seed++) {
            kill("append", seed, 1);
        }
    }

    @Test
    @Tag("full")
    void appendAll_killed_leavesEachRowThatHadReturnedAndTheFirstOfTheOthers() throws Exception {
        kill("appendAll", 0, 100);
    }

    @Test
    @Tag("slow")
    void append_killedManyTimes_leavesEachRowThatHadReturnedAndNoOther() throws Exception {
        for (int seed = 0; seed < KILLS; seed++) {
            kill(seed % 5 == 0 ? "appendAll" : "append", seed, seed % 5 == 0 ? 100 : 1);
            if (seed % 20 == 19) {
                ArenaImage.delete(base);
            }
        }
    }

    /// @param more the number of rows that a call appends
    private void kill(String scenario, int seed, int more) throws Exception {
        Path output = directory.resolve("output");
        ChildJvm jvm = seed % 2 == 0 ? ChildJvm.granted() : ChildJvm.denied();
        Process writer = jvm.command(TableChild.class, scenario, base.toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            while (Files.size(output) < 100) {
                assertThat(writer.isAlive()).isTrue();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            TimeUnit.MICROSECONDS.sleep(new SplittableRandom(seed).nextInt(20_000));
        } finally {
            writer.destroyForcibly().waitFor();
        }
        String printed = Files.readString(output);
        List<String> lines = printed.lines().toList();
        long acknowledged = Long.parseLong(lines.get(lines.size() - (printed.endsWith("\n") ? 1 : 2)));
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.problems().filter(problem -> !problem.isNote())).isEmpty();
            check(image.table("rows", TableRow.class, arena), acknowledged, more);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            check(arena.table("rows", TableRow.class), acknowledged, more);
        }
    }

    /// The last call of the writer may have appended its rows, or some of them, without printing their number; so may
    /// the call whose number is cut.
    private static void check(GrowableTable<TableRow> table, long acknowledged, int more) {
        assertThat(table.size()).isBetween(acknowledged, acknowledged + 2L * more);
        for (long number = 0; number < table.size(); number++) {
            if (!table.get(number).equals(TableRow.of(number))) {
                assertThat(table.get(number)).isEqualTo(TableRow.of(number));
            }
        }
    }

    @Test
    @Tag("full")
    void read_besideAWriterInAnotherProcess_getsEachRowWhole() throws Exception {
        read(100_000);
    }

    @Test
    @Tag("slow")
    void read_longBesideAWriterInAnotherProcess_getsEachRowWhole() throws Exception {
        read(50_000_000);
    }

    private void read(long count) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            GrowableTable<TableRow> table = arena.table("rows", TableRow.class);
            Process reader = ChildJvm.granted()
                    .command(TableChild.class, "read", base.toString(), Long.toString(count))
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader output = reader.inputReader()) {
                assertThat(output.readLine()).isEqualTo("reading");
                for (long number = 0; number < count; number++) {
                    table.append(TableRow.of(number));
                }
                assertThat(output.readLine()).matches("[0-9]+").isNotEqualTo("0");
                assertThat(reader.waitFor()).isZero();
            } finally {
                reader.destroyForcibly().waitFor();
            }
        }
    }
}
