package dev.arenakit.internal.file;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class DescriptionLockTest {
    private final Path file;

    DescriptionLockTest(@TempDir Path directory) throws IOException {
        file = Files.createFile(directory.resolve("file % x"));
    }

    @BeforeEach
    void checkSystem() {
        assumeTrue(DescriptionLock.isAvailableFor(file), "needs Linux with native access");
    }

    @Test
    void tryLock_lockedInTheSameProcess_isRefusedUntilItIsClosed() throws IOException {
        try (DescriptionLock other = DescriptionLock.open(file);
                DescriptionLock reader = DescriptionLock.openToRead(file)) {
            try (DescriptionLock owner = DescriptionLock.open(file)) {
                assertThat(owner.tryLock()).isTrue();
                assertThat(owner.isLockedByAnother()).isFalse();
                assertThat(other.tryLock()).isFalse();
                assertThat(reader.isLockedByAnother()).isTrue();
                Files.readAllBytes(file);
                assertThat(other.tryLock()).as("another channel was closed").isFalse();
                assertThat(Files.isSameFile(owner.descriptor(), file)).isTrue();
            }
            assertThat(reader.isLockedByAnother()).isFalse();
            assertThat(other.tryLock()).isTrue();
        }
    }

    @Test
    void tryLock_lockOfTheProcess_excludesIt() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                DescriptionLock lock = DescriptionLock.open(file)) {
            try (FileLock _ = channel.lock()) {
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.isLockedByAnother()).isTrue();
            }
            try (FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.isLockedByAnother()).as("a shared lock").isFalse();
                assertThat(lock.holder()).hasValue(ProcessHandle.current().pid());
            }
            assertThat(lock.tryLock()).isTrue();
            assertThat(channel.tryLock()).isNull();
        }
    }

    /// A process that is being started has copies of all descriptors until it executes its program.
    @Test
    void close_whileProcessesAreStarted_releasesTheLock() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread starter = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < 40; i++) {
                    new ProcessBuilder("true").start().waitFor();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                done.set(true);
            }
        });
        try (DescriptionLock reader = DescriptionLock.openToRead(file)) {
            int stillLocked = 0;
            while (!done.get()) {
                try (DescriptionLock lock = DescriptionLock.open(file)) {
                    assertThat(lock.tryLock()).isTrue();
                }
                stillLocked += reader.isLockedByAnother() ? 1 : 0;
            }
            assertThat(stillLocked).isZero();
        } finally {
            starter.join();
        }
    }

    @Test
    void open_missingOrLink_isRefused() throws IOException {
        Path link = Files.createSymbolicLink(file.resolveSibling("link"), file);
        assertThatThrownBy(() -> DescriptionLock.open(link)).isInstanceOf(IOException.class)
                .hasMessageContaining("path=" + link);
        DescriptionLock.openToRead(link).close();
        Path missing = file.resolveSibling("missing");
        assertThatThrownBy(() -> DescriptionLock.open(missing)).isInstanceOf(NoSuchFileException.class);
        assertThat(missing).doesNotExist();
    }

    @Test
    void tryLock_closed_isRefused() throws IOException {
        DescriptionLock lock = DescriptionLock.open(file);
        lock.close();
        lock.close();
        assertThatThrownBy(lock::tryLock).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(lock::isLockedByAnother).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void open_directory_namesTheReasonOfTheSystem() {
        Path directory = file.resolveSibling("");
        assertThatThrownBy(() -> DescriptionLock.open(directory)).isInstanceOf(IOException.class)
                .hasMessage("File cannot be opened: path=" + directory + ", errno=21, reason=Is a directory");
        assertThatThrownBy(() -> FileExtents.open(Path.of("/proc/self/status")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageEndingWith(", errno=22, reason=Invalid argument");
    }
}
