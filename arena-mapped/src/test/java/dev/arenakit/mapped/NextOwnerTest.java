package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/// Tests the owner after one that was killed: what it forces or closes survives a failure of the machine, whether it has
/// opened it or not.
class NextOwnerTest extends InDirectory {
    private static final long BOOT = 1;
    private static final int COUNT = 1_000;

    record Row(long number) {}

    /// What the next owner does with the structures.
    enum Use {
        CHANGES_ANOTHER {
            @Override
            void run(InfiniteArena arena) {
                arena.structures().longTree("other").put(1, 2);
            }
        },
        READS {
            @Override
            void run(InfiniteArena arena) {
                assertThat(contents(arena)).containsExactly(COUNT, COUNT, COUNT, COUNT);
            }
        },
        OPENS_NOTHING {
            @Override
            void run(InfiniteArena arena) {}
        };

        abstract void run(InfiniteArena arena);
    }

    private InfiniteArena open(long boot) {
        return InfiniteArena.builder(base).boot(boot).openOrCreate();
    }

    /// Leaves the files of a process that was killed.
    private void leave() throws IOException {
        InfiniteArena arena = open(BOOT);
        for (int i = 0; i < COUNT; i++) {
            put(arena, i);
        }
        KilledOwner.kill(arena);
    }

    private static void put(InfiniteArena arena, int i) {
        arena.structures().longTree("times").put(i, i);
        arena.structures().tree("names", String.class, Row.class).put("name " + i, new Row(i));
        arena.structures().longMap("longs").put(i, i);
        arena.structures().table("rows", Row.class).append(new Row(i));
    }

    private static long[] contents(InfiniteArena arena) {
        return new long[]{arena.structures().longTree("times").size(),
                arena.structures().tree("names", String.class, Row.class).size(),
                arena.structures().longMap("longs").size(), arena.structures().table("rows", Row.class).size()};
    }

    private void assertComplete() {
        using(open(BOOT + 1), NextOwnerTest::assertComplete);
    }

    private static void assertComplete(InfiniteArena arena) {
        assertThat(contents(arena)).containsExactly(COUNT, COUNT, COUNT, COUNT);
        for (int i = 0; i < COUNT; i++) {
            assertThat(arena.structures().longTree("times").get(i, -1)).isEqualTo(i);
            assertThat(arena.structures().longMap("longs").get(i, -1)).isEqualTo(i);
            assertThat(arena.structures().tree("names", String.class, Row.class).get("name " + i, new Row(-1)))
                    .isEqualTo(new Row(i));
            assertThat(arena.structures().table("rows", Row.class).get(i)).isEqualTo(new Row(i));
        }
    }

    @ParameterizedTest
    @CsvSource({"CHANGES_ANOTHER", "READS", "OPENS_NOTHING"})
    void force_afterAKill_completesWhatTheKilledOwnerHasLeft(Use use) throws IOException {
        leave();
        InfiniteArena next = open(BOOT);
        use.run(next);
        next.force();
        KilledOwner.kill(next);
        assertComplete();
    }

    /// The owners are processes, and the last one sees another identification of the boot. Three JVMs take two seconds.
    @ParameterizedTest
    @CsvSource({"CHANGES_ANOTHER", "READS", "OPENS_NOTHING"})
    @Tag("full")
    void close_afterAKillAndBeforeARestart_completesWhatTheKilledOwnerHasLeft(Use use) throws Exception {
        ChildJvm.run(owner("leave"));
        ChildJvm.run(owner(use.name()));
        assertThat(restart(owner("read"))).containsExactly("complete");
    }

    @Test
    @Tag("full")
    void open_afterAKillAndARestart_refusesTheMap() throws Exception {
        ChildJvm.run(owner("leave"));
        assertThat(restart(owner("read"))).last().asString().contains("name=longs", "repair(name)");
    }

    /// The owners see no `/proc`, as on another system than Linux.
    @Test
    @Tag("full")
    void open_afterAKillWithoutABootId_findsAll() throws Exception {
        withoutProc("leave");
        assertThat(withoutProc("read")).containsExactly("complete");
    }

    /// Without `/proc`, the launcher of the JVM does not find its libraries.
    private List<String> withoutProc(String action) throws IOException, InterruptedException {
        String libraries = Path.of(System.getProperty("java.home"), "lib").toString();
        ProcessBuilder owner = ChildJvm.denied().command(Owner.class, base.toString(), action);
        owner.command().addAll(0, List.of("env", "LD_LIBRARY_PATH=" + libraries));
        return SmallDisk.runBehind("mount -t tmpfs \"$0\" /proc", Path.of("none"), owner);
    }

    private ProcessBuilder owner(String action) {
        return ChildJvm.granted().command(Owner.class, base.toString(), action);
    }

    private List<String> restart(ProcessBuilder owner) throws IOException, InterruptedException {
        Path id = Files.writeString(directory.resolve("boot_id"), "00000000-0000-0000-0000-000000000000");
        return SmallDisk.runBehind("mount --bind \"$0\" /proc/sys/kernel/random/boot_id", id, owner);
    }

    /// An owner in a process of its own.
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) {
            InfiniteArena arena = InfiniteArena.builder(Path.of(arguments[0])).openOrCreate();
            switch (arguments[1]) {
                case "leave" -> {
                    for (int i = 0; i < COUNT; i++) {
                        put(arena, i);
                    }
                    Runtime.getRuntime().halt(0);
                }
                case "read" -> {
                    try {
                        arena.structures().longMap("longs");
                        assertComplete(arena);
                        System.out.println("complete");
                    } catch (IllegalStateException e) {
                        System.out.println(e.getMessage());
                    }
                }
                default -> using(arena, Use.valueOf(arguments[1])::run);
            }
        }
    }

    @Test
    void change_afterAKilledOwnersStructureWasCompleted_isKeptByTheNextForce() throws IOException {
        leave();
        InfiniteArena next = open(BOOT);
        next.force();
        put(next, COUNT);
        next.force();
        KilledOwner.kill(next);
        try (InfiniteArena arena = open(BOOT + 1)) {
            assertThat(arena.structures().longTree("times").size()).isEqualTo(COUNT + 1);
            assertThat(arena.structures().tree("names", String.class, Row.class).size()).isEqualTo(COUNT + 1);
            assertThat(arena.structures().table("rows", Row.class).size()).isEqualTo(COUNT + 1);
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap("longs"))
                    .withMessageContaining("structures().repair");
        }
    }

    @Test
    void close_ofADamagedMap_completesAllOthers() throws IOException {
        leave();
        Path file = fileOf("longs");
        InfiniteArena arena = open(BOOT);
        put(arena, COUNT);
        damage(file);
        // A change finds a root that no table has.
        assertThatIllegalStateException().isThrownBy(() -> arena.structures().longMap("longs").put(1, 1));
        assertThatIllegalStateException().isThrownBy(arena::close).withMessageContaining("name=longs");
        assertThat(arena.scope().isAlive()).isFalse();
        assertOthersComplete(base);
    }

    @Test
    void force_ofADamagedMap_writesAllOthers() throws IOException {
        leave();
        Path file = fileOf("longs");
        InfiniteArena arena = open(BOOT);
        put(arena, COUNT);
        damage(file);
        assertThatIllegalStateException().isThrownBy(arena::force).withMessageContaining("name=longs");
        Path copy = directory.resolve("copy");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path each : files) {
                Files.copy(each, directory.resolve(each.getFileName().toString().replace("memory", "copy")));
            }
        }
        assertThatIllegalStateException().isThrownBy(arena::close);
        assertOthersComplete(copy);
    }

    private void assertOthersComplete(Path image) {
        try (InfiniteArena arena = InfiniteArena.builder(image).boot(BOOT + 1).reopen()) {
            assertThat(arena.structures().longTree("times").size()).isEqualTo(COUNT + 1);
            assertThat(arena.structures().tree("names", String.class, Row.class).size()).isEqualTo(COUNT + 1);
            assertThat(arena.structures().table("rows", Row.class).size()).isEqualTo(COUNT + 1);
        }
    }

    private Path fileOf(String name) throws IOException {
        return read(ArenaImage.open(base), image -> image.file(image.find(name).orElseThrow().file()));
    }

    /// Replaces the root of a map, which the process has mapped.
    private static void damage(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(128);
            bytes.write(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1});
        }
    }

    /// A backup by hard links, for example. Opening the table reports it.
    @Test
    void close_ifATableIsNotTrusted_completesAllOthers() throws IOException {
        leave();
        Files.createLink(directory.resolve("backup"), fileOf("rows"));
        using(open(BOOT), next -> next.force());
        try (InfiniteArena arena = open(BOOT + 1)) {
            assertThat(arena.structures().longTree("times").size()).isEqualTo(COUNT);
            assertThat(arena.structures().longMap("longs").size()).isEqualTo(COUNT);
        }
    }

    /// The process was killed between the value of a pair and the check of its group.
    @Test
    void open_ofAMapThatWasKilledInAChange_forcesWhatItComputesAgain() throws IOException {
        leave();
        Path file = fileOf("longs");
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long changes = number(bytes, StructureFormat.CHANGES);
            put(bytes, StructureFormat.CHANGES, changes | 1);
            long group = LongGroups.offset(number(bytes, LongGroups.ROOT));
            put(bytes, group + LongGroups.CHECK, ~number(bytes, group + LongGroups.CHECK));
        }
        using(open(BOOT), next -> next.force());
        try (InfiniteArena third = open(BOOT); ArenaImage image = ArenaImage.open(base)) {
            assertThat(third.structures().longMap("longs").size()).isEqualTo(COUNT);
            assertThat(image.integrity().problems()).isEmpty();
        }
        try (InfiniteArena arena = open(BOOT + 1)) {
            assertThat(arena.structures().repair("longs")).isEqualTo(new StructureRepair(0, 0));
            assertThat(arena.structures().longMap("longs").size()).isEqualTo(COUNT);
        }
    }

    private static long number(RandomAccessFile file, long at) throws IOException {
        file.seek(at);
        return Long.reverseBytes(file.readLong());
    }

    private static void put(RandomAccessFile file, long at, long number) throws IOException {
        file.seek(at);
        file.writeLong(Long.reverseBytes(number));
    }

    /// Memory grows before the first row is stored.
    @Test
    void table_whoseFirstRowsWereRefused_hasNoRowsAfterARestart() throws IOException {
        InfiniteArena arena = open(BOOT);
        GrowableTable<Row> table = arena.structures().table("rows", Row.class);
        assertThatNullPointerException().isThrownBy(() -> table.appendAll(Collections.singletonList(null)));
        KilledOwner.kill(arena);
        using(open(BOOT + 1),
                next -> assertThat(next.structures().table("rows", Row.class).append(new Row(1))).isZero());
    }

    /// A shutdown hook beside the end of a try block.
    @Test
    void close_byTwoThreads_leavesTheStructuresOfTheNextOwnerAlone() throws IOException {
        for (int round = 0; round < 20; round++) {
            InfiniteArena arena = open(BOOT);
            arena.structures().longMap("longs").put(round, 1);
            AtomicReference<InfiniteArena> next = new AtomicReference<>();
            Threads.race(2, _ -> {
                try {
                    arena.close();
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("closed");
                    return;
                }
                InfiniteArena opened = open(BOOT);
                opened.structures().longMap("longs").put(-1, 2);
                next.set(opened);
            });
            try (InfiniteArena opened = Objects.requireNonNull(next.get());
                    RandomAccessFile bytes = new RandomAccessFile(fileOf("longs").toFile(), "r")) {
                assertThat(number(bytes, StructureFormat.STATE)).isEqualTo(StructureFormat.OPEN);
                assertThat(opened.structures().longMap("longs").size()).isEqualTo(round + 2);
            }
        }
    }
}
