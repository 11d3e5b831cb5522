package dev.arenakit.mapped;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests that other users of the machine cannot read the files of an image, or replace them.
class ImageSecurityTest extends InDirectory {
    ImageSecurityTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    @Test
    void files_ofAnImage_areAccessibleByTheirOwnerOnly() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate("a", JAVA_INT, 1);
        }
        InfiniteArena.builder(base).reopen().close();
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        for (Path file : TestFileSystem.list(directory)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        }
    }

    @Test
    void build_linkPlanted_isNotFollowed() throws IOException {
        Path target = directory.resolve("target");
        for (boolean dangling : new boolean[]{true, false}) {
            for (String suffix : List.of(".catalog", ".lock", "-0")) {
                if (!dangling) {
                    Files.writeString(target, "somebody's");
                }
                Path link = Files.createSymbolicLink(directory.resolve("memory" + suffix), target);
                ThrowingCallable use = () -> {
                    try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                        arena.allocate("a", JAVA_INT, 1).fill((byte) 1);
                    }
                };
                if (suffix.equals("-0") && !dangling) {
                    assertThatCode(use).as("the next number").doesNotThrowAnyException();
                    assertThat(TestFileSystem.dataFiles(directory)).contains("memory-1");
                } else {
                    assertThatThrownBy(use).as(suffix)
                            .isInstanceOf(UncheckedIOException.class)
                            .hasMessageContaining(link.toString());
                }
                assertThat(Files.isSymbolicLink(link)).isTrue();
                if (dangling) {
                    assertThat(target).doesNotExist();
                } else {
                    assertThat(target).hasContent("somebody's");
                }
                TestFileSystem.remove(directory);
                Files.createDirectory(directory);
            }
        }
    }

    @Test
    void reopen_linkPlanted_isNotFollowed() throws IOException {
        for (String suffix : List.of(".catalog", ".lock", "-0")) {
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                arena.allocate("a", JAVA_INT, 1);
            }
            Path file = directory.resolve("memory" + suffix);
            Path moved = Files.move(file, directory.resolve("moved"));
            byte[] before = Files.readAllBytes(moved);
            Files.createSymbolicLink(file, moved);
            assertThatThrownBy(() -> {
                try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                    arena.find("a");
                }
            }).as(suffix).isInstanceOf(UncheckedIOException.class);
            assertThat(Files.readAllBytes(moved)).as(suffix).isEqualTo(before);
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    @Test
    void delete_linkPlanted_isRefusedWithAnExceptionThatCallersKnow() throws IOException {
        for (String suffix : List.of(".catalog", ".lock", "-0")) {
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                arena.allocate("a", JAVA_INT, 1);
            }
            Path file = directory.resolve("memory" + suffix);
            Path moved = Files.move(file, directory.resolve("moved"));
            Files.createSymbolicLink(file, moved);
            assertThatThrownBy(() -> ArenaImage.delete(base)).as(suffix)
                    .isExactlyInstanceOf(FileSystemException.class)
                    .hasMessage(file + ": it is a symbolic link");
            assertThat(moved).exists();
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    @Test
    void build_directoryWritableByAll_isRefusedUnlessSafeOrAllowed() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("Directory is not safe: base=" + base)
                .hasMessageContaining("unsafeDirectory()");
        assertThat(TestFileSystem.names(directory)).isEmpty();
        InfiniteArena.builder(base).unsafeDirectory().build().close();
        assertThatThrownBy(() -> InfiniteArena.builder(base).reopen()).isInstanceOf(UncheckedIOException.class);
        InfiniteArena.builder(base).unsafeDirectory().reopen().close();

        Files.setAttribute(directory, "unix:mode", 01777);
        InfiniteArena.builder(base).reopen().close();
        InfiniteArena.ofShared(directory.resolve("other")).close();
    }

    @Test
    void build_directoryOrParentOfAnotherUser_isRefusedUnlessAllowed() throws IOException {
        Path parent = Files.createDirectory(directory.resolve("theirs"));
        Path inner = Files.createDirectory(parent.resolve("inner"));
        for (Path theirs : new Path[]{parent, inner}) {
            ImageTrustTest.giveAway(theirs);
            assertThatThrownBy(() -> InfiniteArena.ofShared(inner.resolve("memory")))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("another user may replace the files of a directory: directory=" + theirs
                            + ", owner=")
                    .hasMessageContaining("unsafeDirectory()");
            assertThat(inner).isEmptyDirectory();
            Files.setAttribute(theirs, "unix:uid", Files.getAttribute(directory, "unix:uid"));
        }
        ImageTrustTest.giveAway(parent);
        InfiniteArena.builder(inner.resolve("memory")).unsafeDirectory().deleteOnClose().build().close();
    }

    @Test
    void allocate_nameThatWouldMislead_isRefused() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (String name : List.of("", "#7", "a\nb", "a\tb", "\u0000", "\u007f", "\u0085", "\u001b[31m", "\ud800",
                    "a\udc00b",
                    "\udc00\ud800", "x".repeat(1_025))) {
                assertThatThrownBy(() -> arena.allocate(name, JAVA_INT, 1)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Not a name");
            }
            assertThatThrownBy(() -> arena.allocate("a\ud800\u001b", JAVA_INT, 1))
                    .hasMessageContaining("name=a\\ud800\\u001b, length=3")
                    .hasMessageContaining("no surrogate without its pair");
            for (String name : List.of(" ", "a#7", "ä", "\ud83d\ude00", "x".repeat(1_024), "../../etc")) {
                arena.allocate(name, JAVA_INT, 1).set(JAVA_INT, 0, name.length());
                assertThat(arena.find(name)).hasValueSatisfying(
                        memory -> assertThat(memory.get(JAVA_INT, 0)).isEqualTo(name.length()));
            }
        }
        assertThat(TestFileSystem.dataFiles(directory)).hasSize(6);
    }
}
