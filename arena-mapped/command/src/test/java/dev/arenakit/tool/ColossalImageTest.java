package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of the commands on an allocation that is larger than a file of ext4, whose owner was killed.
@Tag("full")
class ColossalImageTest {
    /// The number of longs in 17 TiB. They are in three files.
    private static final long COUNT = 17L << 37;
    private static final long SEAM = 1L << 40;

    private final Path directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "arenakit-test");
    private final Path base = directory.resolve("memory");

    ColossalImageTest() throws IOException {}

    public static void main(String[] args) throws IOException {
        MemorySegment memory = InfiniteArena.ofShared(Path.of(args[0])).names().allocate("colossal", JAVA_LONG, COUNT);
        memory.setAtIndex(JAVA_LONG, 3, 7);
        memory.setAtIndex(JAVA_LONG, SEAM - 1, 0x4142434445464748L);
        memory.setAtIndex(JAVA_LONG, SEAM, 0x5152535455565758L);
        memory.setAtIndex(JAVA_LONG, COUNT - 1, 9);
        System.out.println("ready");
        System.in.read();
    }

    private void kill() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(TestImage.command(base));
        command.set(command.size() - 2, ColossalImageTest.class.getName());
        command.add(1, "--enable-native-access=ALL-UNNAMED");
        TestImage.killed(command);
    }

    @Test
    void commands_afterTheProcessWasKilled_readAcrossTheSeams() throws IOException, InterruptedException {
        // The JDK reads the type in the list of mounts, which may change meanwhile.
        Path type = directory.resolve("type");
        InstalledPrograms.assume("stat", "apt-get install coreutils");
        assumeTrue(InstalledPrograms.exitCode(directory, type, "stat", "--file-system", "--format=%T", ".") == 0
                && Files.readString(type).strip().equals("ext2/ext3"), "needs ext4");
        try {
            kill();
            assertThat(run("ls", base.toString())).contains("1 allocation of 17 TiB; 3 files, ");
            assertThat(run("verify", base.toString())).contains("no problem");
            assertThat(run("hexdump", "--in", base.toString(), "colossal")).isEqualTo("""
                    00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                    00000010  00 00 00 00 00 00 00 00  07 00 00 00 00 00 00 00  |................|
                    00000020  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                    *
                    7fffffffff0  00 00 00 00 00 00 00 00  48 47 46 45 44 43 42 41  |........HGFEDCBA|
                    80000000000  58 57 56 55 54 53 52 51  00 00 00 00 00 00 00 00  |XWVUTSRQ........|
                    80000000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                    *
                    10fffffffff0  00 00 00 00 00 00 00 00  09 00 00 00 00 00 00 00  |................|
                    110000000000
                    """);
            assertThat(run("export", "--html", base.toString()))
                    .contains(",[0,8796093022208,8796093022208,1099511627776],0,18691697672192,");
            assertThat(run("show", base.toString())).isEqualTo("""
                    ==> colossal: int64_t[2336462209024] <==
                    [0..2] zeros
                    [3] 7
                    [4..1099511627774] zeros
                    [1099511627775] 4702394921427289928
                    [1099511627776] 5859837686836516696
                    [1099511627777..2336462209022] zeros
                    [2336462209023] 9
                    """);
            assertThat(run("find", base.toString(), "--where", "value == 5859837686836516696"))
                    .isEqualTo("colossal[1099511627776]\n");
            assertThat(run("find", base.toString(), "--bytes", "41 58 57"))
                    .isEqualTo("colossal+0x7ffffffffff  colossal[1099511627775].value\n");
            assertThat(run("show", base.toString(), "colossal[1099511627776]"))
                    .isEqualTo("[1099511627776] 5859837686836516696\n");
            String copy = directory.resolve("copy").toString();
            try (ArenaImage image = ArenaImage.open(base)) {
                image.copyTo(Path.of(copy));
            }
            assertThat(run("diff", base.toString(), copy)).startsWith("no difference");
            change(Path.of(copy));
            ToolRun diff = ToolRun.of("diff", base.toString(), copy);
            assertThat(diff.exitCode()).as(diff.err()).isEqualTo(1);
            assertThat(diff.out()).contains("[1099511627776]").contains("[2336462209022]");
            assertThat(run("export", "--html", base.toString(), "-o", directory.resolve("page.html").toString()))
                    .isEmpty();
        } finally {
            remove();
        }
    }

    private static void change(Path copy) {
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            MemorySegment memory = arena.names().get("colossal");
            memory.setAtIndex(JAVA_LONG, SEAM, 1);
            memory.setAtIndex(JAVA_LONG, COUNT - 2, 1);
        }
    }

    private static String run(String... args) {
        ToolRun run = ToolRun.of(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    private void remove() throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
