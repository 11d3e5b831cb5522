package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests that images of other users are read, and neither written to nor deleted, and that other users cannot read the
/// files of an image or replace them.
public class ImageTrustTest extends InDirectory {
    /// A user that does not exist, so that no test runs as this user.
    public static final int OTHER_USER = 65_533;

    ImageTrustTest() {
        super(TestFileSystem.BUILD);
    }

    private void makeImage() {
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("a", JAVA_INT, 1).set(JAVA_INT, 0, 42));
    }

    public static void giveAway(Path file) {
        try {
            Files.setAttribute(file, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            assumeTrue(false, "needs root, which may give files to other users: " + e);
        }
    }

    private List<Path> files() {
        return List.of(ImageFiles.catalog(base), ImageFiles.lock(base), ImageFiles.data(base, 0));
    }

    private void useWhenReopened() {
        using(InfiniteArena.builder(base).reopen(), arena -> arena.names().find("a").orElseThrow().set(JAVA_INT, 0, 7));
    }

    @Test
    void reopen_plantedByAnotherUser_isRefusedAndReadable() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Files.setAttribute(directory, "unix:mode", 01777);
        makeImage();
        files().forEach(ImageTrustTest::giveAway);
        byte[] before = Files.readAllBytes(ImageFiles.data(base, 0));
        assertThatThrownBy(() -> InfiniteArena.builder(base).reopen()).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("File is not trusted: path=" + base)
                .hasMessageContaining("it belongs to another user, owner=" + OTHER_USER)
                .hasMessageContaining("copyTo");
        assertThatThrownBy(() -> InfiniteArena.builder(base).openOrCreate()).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(IOException.class);
        assertThat(ImageFiles.data(base, 0)).hasBinaryContent(before);
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.find("a")).isPresent();
            image.copyTo(directory.resolve("copy"));
        }
        InfiniteArena.builder(directory.resolve("copy")).reopen().close();
    }

    /// The file to which a link of another user leads may be one that this user alone may read.
    @Test
    void read_fileIsALinkOfAnotherUser_isNotFollowed() throws IOException {
        TestFileSystem.assumePermissions(directory);
        for (Path file : List.of(ImageFiles.catalog(base), ImageFiles.data(base, 0))) {
            makeImage();
            Path link = Files.createSymbolicLink(file, Files.move(file, directory.resolve("moved")));
            assertThat(readBySource()).isEqualTo(42);
            assertThat(readBySegment()).isEqualTo(42);
            giveAway(link);
            for (ThrowingCallable read : List.<ThrowingCallable>of(this::readBySource, this::readBySegment)) {
                assertThatThrownBy(read).as("%s", file)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("a symbolic link of another user may lead to any file, owner="
                                + OTHER_USER);
            }
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    private int readBySource() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            byte[] bytes = bytes(image.source(image.find("a").orElseThrow()), 0, Integer.BYTES);
            return MemorySegment.ofArray(bytes).get(JAVA_INT_UNALIGNED, 0);
        }
    }

    private int readBySegment() throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            return image.segment(image.find("a").orElseThrow(), arena).get(JAVA_INT, 0);
        }
    }

    @Test
    void reopen_oneFileOfAnotherUser_isRefused() throws IOException {
        TestFileSystem.assumePermissions(directory);
        for (Path file : filesOfNewImages()) {
            giveAway(file);
            assertThatThrownBy(this::useWhenReopened).as("%s", file)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("File is not trusted: path=" + file);
            assertThatThrownBy(() -> ImageFiles.delete(base)).as("%s", file).hasMessageContaining(file.toString());
            assertThat(files()).allSatisfy(each -> assertThat(each).exists());
        }
    }

    @Test
    void reopen_oneFileWritableByOthersOrLinked_isRefused() throws IOException {
        TestFileSystem.assumePermissions(directory);
        for (Path file : filesOfNewImages()) {
            for (String mode : List.of("rw--w----", "rw-----w-")) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
                assertThatThrownBy(this::useWhenReopened).as("%s", file)
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("File is not trusted: path=" + file)
                        .hasMessageContaining("other users may write to it, mode=6");
            }
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            useWhenReopened();
            Files.createLink(directory.resolve("link"), file);
            assertThatThrownBy(this::useWhenReopened).as("%s", file)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("links=2");
            assertThatThrownBy(() -> ImageFiles.delete(base)).as("%s", file).isInstanceOf(IOException.class);
            assertThat(file).exists();
        }
    }

    /// The files of an image, which is made again before each of them.
    private Iterable<Path> filesOfNewImages() {
        return () -> files().stream().peek(_ -> {
            try {
                TestFileSystem.remove(directory);
                Files.createDirectory(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            makeImage();
        }).iterator();
    }

    @Test
    void build_lockFileOfAnotherUser_isRefused() throws IOException {
        TestFileSystem.assumePermissions(directory);
        giveAway(Files.createFile(ImageFiles.lock(base)));
        assertThatThrownBy(() -> InfiniteArena.ofShared(base)).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("File is not trusted: path=" + ImageFiles.lock(base));
    }

    @Test
    @Tag("full")
    void reopen_byAnotherUserOrTheOwner_dependsOnTheEffectiveUser() throws Exception {
        Path open = Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), "arenakit-test");
        try {
            Path theirs = open.resolve("memory");
            giveAway(open);
            List<String> asOther = new ArrayList<>(List.of("setpriv", "--reuid=" + OTHER_USER, "--regid=" + OTHER_USER,
                    "--clear-groups"));
            assumeTrue(canRun(asOther, theirs), "needs setpriv, and a build that other users may read");
            assertThatThrownBy(() -> InfiniteArena.builder(theirs).reopen()).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("owner=" + OTHER_USER);
            assertThat(ChildJvm.run(as(asOther, ImageChild.class, "own", theirs))).contains("owned");
        } finally {
            TestFileSystem.remove(open);
        }
    }

    private static boolean canRun(List<String> user, Path base) throws InterruptedException {
        try {
            return as(user, OwnerChild.class, "mode", base).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static ProcessBuilder as(List<String> user, Class<?> main, String scenario, Path base) {
        List<String> command = new ArrayList<>(user);
        command.addAll(ChildJvm.denied().command(main, scenario, base.toString()).command());
        // Another user may not read the local repository.
        int classPath = command.indexOf("-cp") + 1;
        command.set(classPath,
                Stream.of(command.get(classPath).split(File.pathSeparator, -1))
                        .filter(entry -> entry.contains("arena-"))
                        .collect(Collectors.joining(File.pathSeparator)));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    @Test
    @Tag("full")
    void fileMode_groupReaders_isTheModeOfAllFilesWhateverTheUmask() throws Exception {
        TestFileSystem.assumePermissions(directory);
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "umask 077; exec \"$@\"", "sh"));
        command.addAll(ChildJvm.denied().command(OwnerChild.class, "mode", base.toString()).command());
        ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true));
        assertThat(files()).allSatisfy(file -> assertThat(
                PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-r-----"));
        useWhenReopened();
    }

    @Test
    void fileMode_writableByOthersOrNotByTheOwner_isRefused() {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        for (String mode : List.of("rw-rw----", "rw-r---w-", "r--r-----", "-w-------", "rwx------", "---------")) {
            Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
            assertThatThrownBy(() -> builder.fileMode(permissions)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mode=" + mode);
        }
        builder.fileMode(PosixFilePermissions.fromString("rw-r--r--")).deleteOnClose().build().close();
    }

    @Test
    void files_ofAnImage_areAccessibleByTheirOwnerOnly() throws IOException {
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("a", JAVA_INT, 1));
        InfiniteArena.builder(base).reopen().close();
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        TestFileSystem.assumePermissions(directory);
        for (Path file : TestFileSystem.list(directory)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        }
    }

    @Test
    void build_linkPlanted_isNotFollowed() throws IOException {
        TestFileSystem.assumeLinks(directory);
        Path target = directory.resolve("target");
        for (boolean dangling : new boolean[]{true, false}) {
            for (String suffix : List.of(".catalog", ".lock", "-0")) {
                if (!dangling) {
                    Files.writeString(target, "somebody's");
                }
                Path link = Files.createSymbolicLink(directory.resolve("memory" + suffix), target);
                ThrowingCallable use = () -> {
                    using(InfiniteArena.ofShared(base),
                            arena -> arena.names().allocate("a", JAVA_INT, 1).fill((byte) 1));
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
    void reopenAndDelete_linkPlanted_areRefusedAndFollowNothing() throws IOException {
        TestFileSystem.assumeLinks(directory);
        for (Path file : filesOfNewImages()) {
            Path moved = Files.move(file, directory.resolve("moved"));
            byte[] before = Files.readAllBytes(moved);
            Files.createSymbolicLink(file, moved);
            assertThatThrownBy(this::useWhenReopened).as("%s", file).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> ImageFiles.delete(base)).as("%s", file)
                    .isExactlyInstanceOf(FileSystemException.class)
                    .hasMessage(file + ": it is a symbolic link");
            assertThat(moved).hasBinaryContent(before);
        }
    }

    @Test
    void build_directoryWritableByAll_isRefusedUnlessSafeOrAllowed() throws Exception {
        TestFileSystem.assumePermissions(directory);
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
    void allocate_nameThatWouldMislead_isRefused() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (String name : List.of("", "#7", "a\nb", "a\tb", "\u0000", "\u007f", "\u0085", "\u001b[31m", "\ud800",
                    "a\udc00b",
                    "\udc00\ud800", "x".repeat(1_025))) {
                assertThatThrownBy(() -> arena.names().allocate(name, JAVA_INT, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Not a name");
            }
            assertThatThrownBy(() -> arena.names().allocate("a\ud800\u001b", JAVA_INT, 1))
                    .hasMessageContaining("name=a\\ud800\\u001b, length=3")
                    .hasMessageContaining("no surrogate without its pair");
            for (String name : List.of(" ", "a#7", "ä", "\ud83d\ude00", "x".repeat(1_024), "../../etc")) {
                arena.names().allocate(name, JAVA_INT, 1).set(JAVA_INT, 0, name.length());
                assertThat(arena.names().find(name)).hasValueSatisfying(
                        memory -> assertThat(memory.get(JAVA_INT, 0)).isEqualTo(name.length()));
            }
        }
        assertThat(TestFileSystem.dataFiles(directory)).hasSize(6);
    }
}
