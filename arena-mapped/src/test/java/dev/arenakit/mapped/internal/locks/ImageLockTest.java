package dev.arenakit.mapped.internal.locks;

import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageChild;
import dev.arenakit.mapped.ImageProgress;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.OwnerChild;
import dev.arenakit.mapped.OwnerRecord;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Tests that an image has at most one owner.
class ImageLockTest extends InDirectory {
    private final long self = ProcessHandle.current().pid();

    ImageLockTest() {
        super(TestFileSystem.BUILD);
    }

    private static void assertOwned(Path base, String message) {
        assertThatThrownBy(() -> InfiniteArena.builder(base).build()).isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> InfiniteArena.builder(base).reopen()).isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    private static void assertOwnedByThisProcess(Path base) {
        assertOwned(base, "Image is owned by this process: base=" + base
                + "; close the arena that owns it, or pass another base");
    }

    /// Returns what another process prints when it builds an arena on the image.
    private static String buildInAnotherProcess(Path base) throws Exception {
        return ChildJvm.run(ChildJvm.denied().command(ImageChild.class, "own", base.toString())).trim();
    }

    @Test
    void build_ownedByThisProcess_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("a", JAVA_INT, 1);
            assertOwnedByThisProcess(base);
            assertOwnedByThisProcess(directory.resolve("./memory"));
        }
        InfiniteArena.builder(base).reopen().close();
        assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("already exists");
        TestFileSystem.assumeLinks(directory);
        try (InfiniteArena _ = InfiniteArena.builder(base).reopen()) {
            Path other = Files.createSymbolicLink(directory.resolve("link"), directory);
            assertOwnedByThisProcess(other.resolve("memory"));
            using(ArenaImage.open(other.resolve("memory")), image -> assertThat(image.ownerIsAlive()).isTrue());
        }
    }

    @Test
    @Tag("full")
    void open_oftenByTheOwner_keepsItsLock() throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("a", JAVA_INT, 1);
            // Make links to the files of the image, to read it under other bases.
            for (String name : new String[]{"catalog", "lock"}) {
                Files.createSymbolicLink(directory.resolve("soft." + name), directory.resolve("memory." + name));
                Files.createLink(directory.resolve("hard." + name), directory.resolve("memory." + name));
            }
            for (int i = 0; i < 100; i++) {
                for (String name : new String[]{"memory", "soft", "hard"}) {
                    try (ArenaImage image = ArenaImage.open(directory.resolve(name))) {
                        assertThat(image.ownerIsAlive()).isTrue();
                        assertThat(image.find("a")).isPresent();
                    }
                }
                if (i % 25 == 0) {
                    assertOwnedByThisProcess(base);
                }
            }
            Files.delete(directory.resolve("hard.catalog"));
            Files.delete(directory.resolve("hard.lock"));
            assertThat(buildInAnotherProcess(base)).contains("IllegalStateException").contains("pid=" + self);
        }
        assertThat(buildInAnotherProcess(base)).startsWith("owned");
    }

    @Test
    void build_ownedByAnotherProcess_isRefusedUntilThatIsKilled() throws Exception {
        Process owner = ChildJvm.denied().command(ImageChild.class, "hold", base.toString()).start();
        try (BufferedReader output = owner.inputReader()) {
            assertThat(output.readLine()).isEqualTo("held");
            assertOwned(base, "Image is owned by another process: base=" + base + ", pid=" + owner.pid()
                    + "; wait until that process closes the image or ends, or pass another base");
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.ownerIsAlive()).isTrue();
                assertThat(image.integrity().problems()).isEmpty();
                owner.destroyForcibly().waitFor();
                assertThat(image.ownerIsAlive()).isFalse();
            }
        } finally {
            owner.destroyForcibly().waitFor();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen(); ArenaImage image = ArenaImage.open(base)) {
            assertThat(arena.names().find("held")).isPresent();
            assertThat(image.owners()).extracting(OwnerRecord::pid).containsExactly(owner.pid(), self);
            assertThat(image.owners()).noneMatch(OwnerRecord::isClosed);
        }
        using(ArenaImage.open(base),
                image -> assertThat(image.owners()).extracting(OwnerRecord::isClosed).containsExactly(false, true));
    }

    @Test
    @Tag("full")
    void reopen_readerHoldsALock_namesItAndWaitsOutsideTheMonitor() throws Exception {
        InfiniteArena.ofShared(base).close();
        Process reader = ChildJvm.denied()
                .command(OwnerChild.class, "share-lock", directory.resolve("memory.lock").toString())
                .start();
        try (BufferedReader output = reader.inputReader()) {
            assertThat(output.readLine()).isEqualTo("held");
            List<Throwable> thrown = new CopyOnWriteArrayList<>();
            Thread waiting = Thread.ofPlatform()
                    .start(
                            () -> thrown.add(catchThrowable(() -> InfiniteArena.builder(base).reopen().close())));
            boolean hasPaused = false;
            while (waiting.isAlive() && !hasPaused) {
                synchronized (OwnedFiles.MONITOR) {
                    hasPaused = Stream.of(waiting.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(LockSupport.class.getName()));
                }
            }
            waiting.join();
            assertThat(hasPaused).as("paused while this thread had the monitor").isTrue();
            assertThat(thrown).singleElement(InstanceOfAssertFactories.THROWABLE)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("Image cannot be locked: path=" + directory.resolve("memory.lock")
                            + ", reason=a process that does not own the image holds a lock on the file, pid="
                            + reader.pid()
                            + "; ");
        } finally {
            reader.destroyForcibly().waitFor();
        }
        InfiniteArena.builder(base).reopen().close();
    }

    @Test
    void build_whileAnotherProcessChecksForAnOwner_isNeverRefused() throws Exception {
        int reopened = 0;
        Process prober = ChildJvm.denied().command(ImageChild.class, "probe", directory.toString()).start();
        try (BufferedReader output = prober.inputReader(); Arena arena = Arena.ofConfined()) {
            assertThat(output.readLine()).isEqualTo("probing");
            ImageProgress probes = new ImageProgress(ImageChild.progress(directory), arena);
            InfiniteArena.ofShared(base).close();
            long before = probes.known(0).steps().get(0);
            // On a busy machine, the other process may get no processor for the first hundreds.
            while (reopened < 200 || probes.known(0).steps().get(0) - before < 200) {
                InfiniteArena.builder(base).reopen().close();
                reopened++;
            }
        } finally {
            prober.destroyForcibly().waitFor();
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.owners()).hasSize(reopened + 1).allMatch(OwnerRecord::isClosed);
            assertThat(image.integrity().problems()).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void close_deletingWhileAnotherWaits_leavesTheImageToIt() throws Exception {
        InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build();
        arena.allocate(100, 1);
        Process next = ChildJvm.denied().command(ImageChild.class, "wait", base.toString()).start();
        try (BufferedReader output = next.inputReader()) {
            assertThat(output.readLine()).isEqualTo("waiting");
            TimeUnit.MILLISECONDS.sleep(5);
            arena.close();
            assertThat(output.readLine()).isEqualTo("built");
            assertThat(next.waitFor()).isZero();
        }
        assertThat(TestFileSystem.names(directory)).as("it has deleted its own").isEmpty();
    }
}
