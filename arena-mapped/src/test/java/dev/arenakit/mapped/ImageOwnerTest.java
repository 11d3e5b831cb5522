package dev.arenakit.mapped;

import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.image.ImageDeletion;
import dev.arenakit.mapped.internal.locks.ImageLock;
import dev.arenakit.mapped.internal.locks.LockKind;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests that an owner stays the only one whatever its process does, and under whatever names its files are opened.
class ImageOwnerTest extends InDirectory {
    ImageOwnerTest() {
        super(TestFileSystem.BUILD);
    }

    private static ProcessBuilder command(boolean nativeAccess, String... arguments) {
        return nativeAccess
                ? ChildJvm.granted().command(OwnerChild.class, arguments)
                : ChildJvm.denied().command(OwnerChild.class, arguments);
    }

    /// Returns what other processes print when they reopen an image, with locks of both kinds.
    private static List<String> reopenInOtherProcesses(Path base) throws Exception {
        List<String> results = new ArrayList<>();
        results.add(ChildJvm.run(ChildJvm.denied().command(ImageChild.class, "own", base.toString())).trim());
        results.add(ChildJvm.run(ChildJvm.granted().command(ImageChild.class, "own", base.toString())).trim());
        return results;
    }

    private static void assumeDescriptionLocks(Path file) {
        assumeTrue(DescriptionLock.isAvailableFor(file), "needs locks that belong to an open file description");
    }

    private static void assertRefused(Path base, long owner) {
        assertThatThrownBy(() -> InfiniteArena.builder(base).reopen()).isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("Image is owned by another process: base=" + base + ", pid=" + owner);
    }

    /// The program has no reference to the arena, and collects garbage. With native access, it reads all files, as a
    /// backup inside the process does.
    @Test
    void owner_whateverItsProcessDoes_keepsItsLock() throws Exception {
        assumeDescriptionLocks(base);
        assertKeepsItsLock(true);
        InfiniteArena.builder(base).reopen().close();
    }

    @Test
    @Tag("full")
    void owner_nativeAccessDenied_keepsItsLock() throws Exception {
        assertKeepsItsLock(false);
    }

    private void assertKeepsItsLock(boolean nativeAccess) throws Exception {
        Process owner = command(nativeAccess, "hold", base.toString(), Boolean.toString(nativeAccess)).start();
        try (BufferedReader output = owner.inputReader()) {
            assertThat(output.readLine()).isEqualTo("held");
            assertRefused(base, owner.pid());
            owner.outputWriter().append("\n").close();
            for (int i = 0; i < 2; i++) {
                assertThat(output.readLine())
                        .startsWith("java.lang.IllegalStateException: Image is owned by this process: base=" + base);
            }
            assertRefused(base, owner.pid());
        } finally {
            owner.destroyForcibly().waitFor();
        }
    }

    @Test
    @Tag("full")
    void reopen_filesRenamedOrLinkedWithoutTheLock_isRefused() throws Exception {
        assumeDescriptionLocks(base);
        Path other = directory.resolve("other");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate("a", JAVA_INT, 1);
            Files.createLink(ImageFiles.catalog(other), ImageFiles.catalog(base));
            Files.createLink(ImageFiles.data(other, 0), ImageFiles.data(base, 0));
            assertThatThrownBy(() -> InfiniteArena.builder(other).reopen()).isInstanceOf(IllegalStateException.class);

            Files.delete(ImageFiles.catalog(base));
            Files.delete(ImageFiles.data(base, 0));
            assertThatThrownBy(() -> InfiniteArena.builder(other).reopen()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> ImageFiles.delete(other)).isInstanceOf(IllegalStateException.class);
            assertThat(reopenInOtherProcesses(other)).hasSize(2)
                    .allSatisfy(it -> assertThat(it).startsWith("java.lang.IllegalStateException: Image is owned"));
            using(ArenaImage.open(other), image -> assertThat(image.ownerState()).isEqualTo(OwnerState.ALIVE));
            Files.move(ImageFiles.catalog(other), ImageFiles.catalog(base));
            Files.move(ImageFiles.data(other, 0), ImageFiles.data(base, 0));
        }
        assertThat(TestFileSystem.names(directory)).as("a refused owner leaves no lock file")
                .containsExactly("memory-0", "memory.catalog", "memory.lock");
        InfiniteArena.builder(base).reopen().close();
    }

    @Test
    void close_deleteOnCloseAfterAnotherOwnerTookOver_deletesNothing() throws IOException {
        try (Arena later = Arena.ofConfined()) {
            CatalogWriter owner;
            try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
                arena.names().allocate("a", JAVA_INT, 1).set(JAVA_INT, 0, 42);
                owner = CatalogWriter.map(base, later, CatalogLevel.FULL);
                try (CatalogReader reader = CatalogReader.open(ImageFiles.catalog(base))) {
                    owner.takeOver(() -> ReopenedState.read(base, reader));
                }
            }
            owner.file().release();
        }
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        using(InfiniteArena.builder(base).reopen(),
                arena -> assertThat(arena.names().get("a").get(JAVA_INT, 0)).isEqualTo(42));
    }

    @Test
    void close_deleteOnCloseAfterTheImageWasMadeAnew_deletesNothing() throws IOException {
        TestFileSystem.assumeDeletionOfMappedFiles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            arena.names().allocate("a", JAVA_INT, 1);
            for (String name : TestFileSystem.names(directory)) {
                Files.delete(directory.resolve(name));
            }
            using(InfiniteArena.ofShared(base), anew -> anew.names().allocate("a", JAVA_INT, 1));
        }
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
    }

    @Test
    void close_deleteOnCloseAfterTheCatalogWasRemoved_deletesTheOtherFiles() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            arena.names().allocate("a", JAVA_INT, 1);
            Files.delete(ImageFiles.catalog(base));
        }
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void openOrCreate_missingExistingAndOwned_buildsReopensAndIsRefused() {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base).chunked(1 << 20);
        try (InfiniteArena arena = builder.openOrCreate()) {
            arena.names().allocate("a", JAVA_INT, 1).set(JAVA_INT, 0, 42);
            assertThatThrownBy(builder::openOrCreate).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("owned by this process");
        }
        try (InfiniteArena arena = builder.openOrCreate()) {
            assertThat(arena.names().find("a").orElseThrow().get(JAVA_INT, 0)).isEqualTo(42);
            arena.names().allocate("b", JAVA_INT, 1);
        }
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        for (InfiniteArenaBuilder wrong : List.of(InfiniteArena.builder(base).uniqueBase(),
                InfiniteArena.builder(base).catalog(CatalogLevel.OFF))) {
            assertThatThrownBy(wrong::openOrCreate).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void openOrCreate_byTwoThreads_hasOneOwner() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path raced = directory.resolve("image" + round);
            List<Object> results = IntStream.range(0, 2).parallel().mapToObj(_ -> open(raced)).toList();
            assertThat(results).hasAtLeastOneElementOfType(InfiniteArena.class);
            assertThat(results.stream().filter(InfiniteArena.class::isInstance)).hasSize(1);
            for (Object result : results) {
                if (result instanceof InfiniteArena arena) {
                    arena.close();
                }
            }
        }
    }

    private static Object open(Path base) {
        try {
            return InfiniteArena.builder(base).openOrCreate();
        } catch (IllegalStateException e) {
            return e;
        }
    }

    /// The processes have locks of different kinds.
    @Test
    @Tag("full")
    void openOrCreate_byTwoProcesses_hasOneOwner() throws Exception {
        List<Process> racers = new ArrayList<>();
        try {
            for (boolean nativeAccess : new boolean[]{true, false}) {
                racers.add(command(nativeAccess, "open-or-create", base.toString()).start());
            }
            for (Process racer : racers) {
                assertThat(racer.inputReader().readLine()).isEqualTo("ready");
            }
            Files.createFile(directory.resolve("go"));
            List<String> results = new ArrayList<>();
            for (Process racer : racers) {
                results.add(racer.inputReader().readLine());
            }
            assertThat(results).containsOnlyOnce("owned")
                    .anySatisfy(it -> assertThat(it).startsWith("Image is owned by another process: base=" + base));
        } finally {
            for (Process racer : racers) {
                racer.destroyForcibly().waitFor();
            }
        }
    }

    /// A file system without locks.
    private static final LockKind NO_LOCKS = (file, _) -> {
        SafeFiles.open(file).close();
        return new LockKind.Lockable() {
            @Override
            public boolean tryLock() throws IOException {
                throw new LockKind.NoLocksException(new IOException("No locks available"));
            }

            @Override
            public boolean isLockedByAnother() throws IOException {
                throw new LockKind.NoLocksException(new IOException("No locks available"));
            }

            @Override
            public void close() {}
        };
    };

    @Test
    void build_fileSystemWithoutLocks_isRefusedUnlessAllowed() throws IOException {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base).lockKind(NO_LOCKS);
        for (Supplier<InfiniteArena> way : List.<Supplier<InfiniteArena>>of(builder::build, builder::openOrCreate)) {
            assertThatThrownBy(way::get).isInstanceOf(UncheckedIOException.class)
                    .hasMessage("Image cannot be locked: path=" + ImageFiles.lock(base)
                            + ", reason=No locks available; pass a base on a file system with locks, or build the arena "
                            + "with withoutLock() if no other process opens the image");
            assertThat(TestFileSystem.names(directory)).isEmpty();
        }
        builder.withoutLock();
        try (InfiniteArena arena = builder.build()) {
            arena.names().allocate("a", JAVA_INT, 1);
            assertThatThrownBy(builder::reopen).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("owned by this process");
            assertThat(ImageLock.holder(base, NO_LOCKS)).isEqualTo(ImageLock.Holder.PROCESS);
        }
        assertThat(ImageLock.holder(base, NO_LOCKS)).isEqualTo(ImageLock.Holder.UNKNOWN);
        assertThatThrownBy(() -> InfiniteArena.builder(base).lockKind(NO_LOCKS).reopen())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("withoutLock()");
        assertThatThrownBy(() -> ImageDeletion.delete(base, new ImageLock.Request(FileMode.OWNER_ONLY, true, NO_LOCKS)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Image cannot be locked: path=" + ImageFiles.lock(base))
                .hasMessageContaining("by hand");
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        builder.reopen().close();
        using(builder.openOrCreate(), arena -> assertThat(arena.names().find("a")).isPresent());
    }

    /// A process that deletes or repairs the image locks it, and does not record itself.
    @Test
    void owned_afterThisProcessHasClosedTheImage_isNotThisProcess() {
        InfiniteArena.ofShared(base).close();
        assertThat(OwnedImage.owned(base, ""))
                .hasMessageStartingWith("Image is owned by another process: base=" + base + ", pid=unknown");
    }
}
