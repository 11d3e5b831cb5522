package dev.arenakit.mapped;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests the owner after one that was killed: what it forces or closes survives a failure of the machine, whether it has
/// opened it or not.
class NextOwnerTest extends InDirectory {
    private static final long BOOT = 1;
    private static final int COUNT = 1_000;

    NextOwnerTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    record Row(long number) {}

    /// What the next owner does with the structures.
    enum Use {
        CHANGES_ANOTHER {
            @Override
            void run(InfiniteArena arena) {
                arena.longTree("other").put(1, 2);
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
        arena.longTree("times").put(i, i);
        arena.tree("names", String.class, Row.class).put("name " + i, new Row(i));
        arena.longMap("longs").put(i, i);
        arena.table("rows", Row.class).append(new Row(i));
    }

    private static long[] contents(InfiniteArena arena) {
        return new long[]{arena.longTree("times").size(), arena.tree("names", String.class, Row.class).size(),
                arena.longMap("longs").size(), arena.table("rows", Row.class).size()};
    }

    private void assertComplete() {
        try (InfiniteArena arena = open(BOOT + 1)) {
            assertThat(contents(arena)).containsExactly(COUNT, COUNT, COUNT, COUNT);
            for (int i = 0; i < COUNT; i++) {
                assertThat(arena.longTree("times").get(i, -1)).isEqualTo(i);
                assertThat(arena.longMap("longs").get(i, -1)).isEqualTo(i);
                assertThat(arena.tree("names", String.class, Row.class).get("name " + i, new Row(-1)))
                        .isEqualTo(new Row(i));
                assertThat(arena.table("rows", Row.class).get(i)).isEqualTo(new Row(i));
            }
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

    @ParameterizedTest
    @CsvSource({"CHANGES_ANOTHER", "READS", "OPENS_NOTHING"})
    void close_afterAKill_completesWhatTheKilledOwnerHasLeft(Use use) throws IOException {
        leave();
        try (InfiniteArena next = open(BOOT)) {
            use.run(next);
        }
        assertComplete();
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
            assertThat(arena.longTree("times").size()).isEqualTo(COUNT + 1);
            assertThat(arena.tree("names", String.class, Row.class).size()).isEqualTo(COUNT + 1);
            assertThat(arena.table("rows", Row.class).size()).isEqualTo(COUNT + 1);
            assertThatIllegalStateException().isThrownBy(() -> arena.longMap("longs"))
                    .withMessageContaining("repairStructure");
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
        assertThatIllegalStateException().isThrownBy(() -> arena.longMap("longs").put(1, 1));
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
            assertThat(arena.longTree("times").size()).isEqualTo(COUNT + 1);
            assertThat(arena.tree("names", String.class, Row.class).size()).isEqualTo(COUNT + 1);
            assertThat(arena.table("rows", Row.class).size()).isEqualTo(COUNT + 1);
        }
    }

    private Path fileOf(String name) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return image.file(image.find(name).orElseThrow().file());
        }
    }

    /// Replaces the root of a map, which the process has mapped.
    private static void damage(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(128);
            bytes.write(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1});
        }
    }
}
