package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// What the commands say about structures that are damaged, or were open when the machine failed.
@Tag("full")
class StructureDamageTest {
    private static final int MUTATIONS = 300;

    private final Path base;

    StructureDamageTest(@TempDir(factory = SharedMemory.class) Path directory) {
        base = directory.resolve("memory");
    }

    @Test
    void verify_damagedStructures_areProblems() throws IOException, InterruptedException {
        TestStructures.killed(base);
        assertThat(TestStructures.withoutSizes(ToolRun.of("verify", base.toString())))
                .isEqualTo(base + ": no problem in 5 allocations, 4 structures with 8 entries; died\n");
        TestStructures.lose(base, "stock", "times");
        TestStructures.store(base, "empty", 128, -1);
        assertThat(ToolRun.of("verify", base.toString()).exits(1).out()).isEqualTo("""
                %1$s: stock: Structure was open when the machine failed, or the image was moved without arena copy, \
                and may be incomplete; call InfiniteArena.repairStructure(name), or arena repair for a copy, which \
                keep what is intact
                %1$s: times: Entries were not forced before the machine failed, or the image was moved without arena \
                copy: name=times, stored=3, forced=0; the tree has the entries of the last force(). If the image was \
                moved, copy the original by arena copy before its machine is restarted
                %1$s: empty: Structure is damaged: name=empty, root=0xffffffffffffffff
                %1$s: 3 problems
                """.formatted(base));
        assertThat(ToolRun.of("verify", base.toString(), "--json").out()).contains(
                "{\"kind\":\"problem\",\"base\":\"" + base + "\",\"allocation\":\"empty\",\"number\":");
    }

    @Test
    void commands_afterAFailureOfTheMachine_sayThatEntriesMayBeMissing() throws IOException, InterruptedException {
        TestStructures.killed(base);
        TestStructures.lose(base, "stock", "times", "empty");
        ToolRun shown = ToolRun.of("show", base.toString(), "stock").exits(1);
        assertThat(TestStructures.sorted(shown.out())).containsExactly("ImageLongMap { key = 4711, value = 7 }",
                "ImageLongMap { key = 4712, value = 0 }");
        assertThat(shown.err())
                .isEqualTo("arena: stock: it was open when the machine failed, or the image was moved without arena"
                        + " copy, and entries may be missing: repair it with arena repair\n");
        assertThat(ToolRun.of("export", base.toString(), "stock", "--csv").exitCode()).isEqualTo(1);
        assertThat(ToolRun.of("find", base.toString(), "stock", "--where", "value == 7").exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("diff", base.toString(), base.toString()).exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("ls", base.toString()).out()).contains("  incomplete  ");
        // The tree of the last force is empty, and complete.
        ToolRun tree = ToolRun.of("show", base.toString(), "times");
        assertThat(tree).isEqualTo(new ToolRun(0, "", ""));
    }

    @Test
    void repair_afterAFailureOfTheMachine_repairsTheStructures() throws IOException, InterruptedException {
        TestStructures.killed(base);
        TestStructures.lose(base, "stock", "names", "times", "empty");
        Path copy = base.resolveSibling("copy");
        assertThat(ToolRun.of("repair", base.toString(), "--to", copy.toString()).exits(1).out()).contains(
                base + ": lost: Structure was repaired: name=stock, kept=2, dropped=0, ",
                copy + ": 5 allocations, 3 things mended\n");
        assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isZero();
        assertThat(ToolRun.of("ls", copy.toString()).out()).doesNotContain("incomplete");
        assertThat(ToolRun.of("show", copy.toString(), "stock").exitCode()).isZero();
        assertThat(ToolRun.of("verify", base.toString()).exitCode()).as("the original").isEqualTo(1);
    }

    @Test
    void repair_damagedEntry_dropsIt() throws IOException {
        TestStructures.closed(base);
        long entry;
        try (ArenaImage image = ArenaImage.open(base)) {
            var cursor = image.entries(image.find("stock").orElseThrow()).orElseThrow().cursor();
            assertThat(cursor.next()).isTrue();
            entry = cursor.position(0);
        }
        TestStructures.store(base, "stock", entry + 8, 4711);
        assertThat(ToolRun.of("verify", base.toString()).out())
                .containsPattern("stock: Check of a group is wrong: .*, index=0, keys=\\[471[12]");
        String message = "arena: stock: it has entries whose check is wrong, because their bytes were changed: arena"
                + " verify names them, and arena repair drops them\n";
        ToolRun shown = ToolRun.of("show", base.toString(), "stock").exits(1);
        assertThat(shown.out().lines()).hasSize(2);
        assertThat(shown.err()).isEqualTo(message);
        assertThat(ToolRun.of("show", base.toString(), "times", "names").exitCode()).isZero();
        assertThat(ToolRun.of("export", base.toString(), "stock", "--csv").exitCode()).isEqualTo(1);
        assertThat(ToolRun.of("export", base.toString(), "--json").err()).isEqualTo(message);
        assertThat(ToolRun.of("find", base.toString(), "--where", "key >= 4711").exitCode()).isEqualTo(3);
        assertThat(ToolRun.of("diff", base.toString(), base.toString()).exitCode()).isEqualTo(3);
        Path copy = base.resolveSibling("copy");
        assertThat(ToolRun.of("repair", base.toString(), "--to", copy.toString()).exits(1).out())
                .containsPattern("lost: .*name=stock, kept=[01], dropped=[12], .*keys=\\[471[12]");
        assertThat(ToolRun.of("verify", copy.toString()).exitCode()).isZero();
    }

    @Test
    void repair_damagedStructures_saysWhatIsNotRepairedAndWhichKeysAreLost() throws IOException {
        TestStructures.closed(base);
        TestStructures.store(base, "stock", 128, -1);
        TestStructures.store(base, "times", 4096 + 24, -1);
        assertThat(ToolRun.of("repair", base.toString()).exits(1).out()).contains(
                base + ": lost: Structure could not be repaired: name=stock, problem=",
                base + ": lost: Structure was repaired: name=times, kept=0, dropped=3, problem=Check of a page is wrong:"
                        + " page=1, level=0, lostKeys=(first, last), lost=[")
                .doesNotContain("name=stock, kept");
    }

    @Test
    void commands_damagedHeader_goOnWithOthers() throws IOException {
        TestStructures.closed(base);
        TestStructures.store(base, "stock", 16, 1);
        TestStructures.store(base, "empty", 128, -1);
        ToolRun shown = ToolRun.of("show", base.toString(), "stock", "times").exits(1);
        assertThat(shown.out()).contains("[2] ImageTree { key = 200, value = -2 }");
        assertThat(shown.err()).isEqualTo("arena: stock: Header of a structure is damaged: name=stock\n");
        ToolRun listed = ToolRun.of("ls", base.toString()).exits(1);
        assertThat(TestStructures.types(listed)).contains("stock|ImageLongMap[?]", "empty|ImageLongMap[?]");
        assertThat(listed.out()).contains("  damaged  ");
        assertThat(ToolRun.of("export", base.toString(), "empty", "--csv").exits(1).err()).isEqualTo(
                "arena: " + base + ": Structure is damaged: name=empty, root=0xffffffffffffffff\n");
    }

    @Test
    void mutations_any_endWithAnExitCode() throws IOException {
        mutate(MUTATIONS, 1);
    }

    @Test
    @Tag("slow")
    void mutations_many_endWithAnExitCode() throws IOException {
        mutate(30_000, 2);
    }

    /// Runs commands on images with damaged structures. Each ends with an exit code, and a message if it is not 0.
    private void mutate(int count, long seed) throws IOException {
        TestStructures.closed(base);
        Random random = new Random(seed);
        try (ArenaImage image = ArenaImage.open(base)) {
            for (int i = 0; i < count; i++) {
                int number = random.nextInt(3);
                String name = List.of("stock", "names", "times").get(number);
                Path file = image.file(image.find(name).orElseThrow().file());
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    long place = random.nextInt(random.nextBoolean() ? 256 : (int) Math.min(bytes.length(), 12_000));
                    bytes.seek(place);
                    int before = bytes.read();
                    bytes.seek(place);
                    bytes.write(random.nextBoolean() ? before ^ 1 << random.nextInt(8) : random.nextInt());
                    String[][] runs = {{"show", base.toString(), name}, {"ls", base.toString()},
                            {"verify", base.toString()}, {"export", base.toString(), name, "--csv"},
                            {"diff", base.toString(), base.toString()}};
                    ToolRun run = ToolRun.of(runs[random.nextInt(runs.length)]);
                    assertThat(run.exitCode()).isBetween(0, 3);
                    assertThat(run.err()).doesNotContain("Exception", "\tat ");
                    bytes.seek(place);
                    bytes.write(before);
                }
            }
        }
    }
}
