package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.data.DataFileParts;
import dev.arenakit.mapped.internal.files.FileMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests that no file is written, cut or extended that another user puts in the place of a new file of an image.
class ReplacedFileTest extends InDirectory {
    private static final long VICTIM_BYTE_SIZE = 700 << 10;
    private static final int ROUNDS = 20;

    private Path victim = Path.of("");

    @BeforeEach
    void makeVictim() throws IOException {
        TestFileSystem.assumeLinks(directory);
        victim = Files.write(directory.resolve("victim"), new byte[(int) VICTIM_BYTE_SIZE]);
    }

    private void makeImage() {
        using(InfiniteArena.ofShared(base),
                arena -> arena.names().allocate("a", JAVA_INT, 1 << 20).setAtIndex(JAVA_INT, 1, 42));
    }

    /// Replaces a file of the copy after its data was copied, and before it gets its size.
    private LongConsumer replacing(Path file) {
        return _ -> replace(file);
    }

    private void replace(Path file) {
        try {
            Path link = Files.createSymbolicLink(directory.resolve("link"), victim);
            if (Files.exists(file)) {
                Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.delete(link);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"copyTo", "repair"})
    void copyToOrRepair_fileReplacedByALink_failsAndTheTargetIsUntouched(String call) throws IOException {
        makeImage();
        Path copy = directory.resolve("copy");
        try (ArenaImage image = ArenaImage.open(base)) {
            for (Path file : new Path[]{ImageFiles.data(copy, 0), ImageFiles.catalog(copy)}) {
                assertThatThrownBy(() -> {
                    if (call.equals("repair")) {
                        ImageFiles.repair(base, copy, replacing(file));
                    } else {
                        image.copyTo(copy, replacing(file));
                    }
                }).as("%s", file)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("another file has replaced it");
                assertThat(victim).hasSize(VICTIM_BYTE_SIZE);
                assertThat(TestFileSystem.names(directory)).doesNotContain("copy-0", "copy.catalog");
            }
        }
    }

    /// Runs an action while another thread replaces the file whenever it exists.
    private void whileReplacing(Path file, Runnable action) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread replacing = Thread.ofPlatform().start(() -> {
            try {
                while (!done.get()) {
                    Path link = Files.createSymbolicLink(directory.resolve("planted"), victim);
                    while (!done.get() && !Files.exists(file)) {
                        Thread.onSpinWait();
                    }
                    Files.move(link, file, StandardCopyOption.ATOMIC_MOVE);
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            for (int round = 0; round < ROUNDS; round++) {
                try {
                    action.run();
                } catch (UncheckedIOException _) {
                    // Refused, because the file was replaced.
                }
                assertThat(victim).hasSize(VICTIM_BYTE_SIZE);
            }
        } finally {
            done.set(true);
            replacing.join();
        }
    }

    @Test
    void growable_fileReplacedMeanwhile_doesNotChangeTheTarget() throws Exception {
        whileReplacing(ImageFiles.data(base, 0), () -> {
            using(InfiniteArena.builder(base).unsafeDirectory().deleteOnClose().build(),
                    arena -> arena.growable(1 << 20));
        });
    }

    @Test
    void create_partReplacedMeanwhile_doesNotChangeTheTarget() throws Exception {
        TestFileSystem.assumeHoles(directory);
        whileReplacing(ImageFiles.data(base, 1), () -> {
            DataFileParts parts = new DataFileParts(base, 0, 1 << 16, 2 << 16);
            try (Arena arena = Arena.ofConfined()) {
                parts.create(FileMode.OWNER_ONLY, parts.byteSize(), (_, _) -> {
                    // The files are not grown.
                }, arena);
            } finally {
                parts.parts().forEach(part -> {
                    try {
                        Files.deleteIfExists(ImageFiles.data(base, part.file()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            }
        });
    }
}
