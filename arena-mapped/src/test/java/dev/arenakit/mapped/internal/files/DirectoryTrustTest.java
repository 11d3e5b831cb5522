package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.arenakit.mapped.ImageTrustTest.OTHER_USER;
import static dev.arenakit.mapped.ImageTrustTest.giveAway;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests which directories are trusted: those in which nobody else can replace files.
class DirectoryTrustTest extends InDirectory {
    private final Path outer = directory.resolve("outer");
    private final Path inner = outer.resolve("inner");

    DirectoryTrustTest() {
        super(TestFileSystem.BUILD);
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Files.createDirectories(inner);
    }

    private static void setMode(Path path, int mode) throws IOException {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private void assertTrusted(Path path) {
        assertThatCode(() -> DirectoryTrust.check(path)).doesNotThrowAnyException();
    }

    private void assertRefused(Path path, Path refused, String reason) {
        assertThatThrownBy(() -> DirectoryTrust.check(path)).isInstanceOf(FileTrust.UntrustedException.class)
                .hasMessageStartingWith(refused.toString())
                .hasMessageContaining("directory=" + refused + ", owner=")
                .hasMessageContaining(reason);
    }

    @Test
    void check_ownDirectories_areTrusted() throws IOException {
        assertTrusted(inner);
        setMode(inner, 0755);
        setMode(outer, 0755);
        assertTrusted(inner);
        assertTrusted(directory.resolve("outer/../outer/inner"));
        assertTrusted(Path.of("/"));
        assertTrusted(Path.of(System.getProperty("java.io.tmpdir")));
    }

    @Test
    void check_writableByOthers_isRefusedWithoutStickyBit() throws IOException {
        boolean isPrivate = hasPrivateGroup(inner);
        for (Path each : new Path[]{inner, outer}) {
            for (int mode : new int[]{0770, 0775, 0757, 0777, 02775}) {
                setMode(each, mode);
                if (isPrivate && (mode & 0002) == 0) {
                    assertTrusted(inner);
                } else {
                    assertRefused(inner, each, "mode=" + Integer.toOctalString(mode));
                }
                setMode(each, mode | 01000);
                assertTrusted(inner);
            }
        }
    }

    /// Whether the user, who is not root, has a group of the same name.
    private static boolean hasPrivateGroup(Path path) throws IOException {
        PosixFileAttributes names = Files.readAttributes(path, PosixFileAttributes.class);
        return !names.owner().getName().equals("root") && names.group().getName().equals(names.owner().getName());
    }

    @Test
    void check_writableByThePrivateGroupOfTheUser_isTrustedUnlessTheUserIsRoot() throws IOException {
        for (Path each : new Path[]{inner, outer}) {
            giveAway(each);
            // The system knows neither the user nor the group, whose names are their numbers.
            Files.setAttribute(each, "unix:gid", OTHER_USER);
            setMode(each, 02775);
        }
        assertThatCode(() -> DirectoryTrust.check(inner, OTHER_USER, true)).doesNotThrowAnyException();
        assertRefused(inner, outer, "owner=" + OTHER_USER);

        setMode(outer, 0777);
        assertThatThrownBy(() -> DirectoryTrust.check(inner, OTHER_USER, true)).hasMessageContaining("mode=777");
        setMode(outer, 0755);
        Files.setAttribute(inner, "unix:gid", 0);
        assertThatThrownBy(() -> DirectoryTrust.check(inner, OTHER_USER, true)).hasMessageContaining("mode=2775");
    }

    @Test
    void check_ofAnotherUser_isRefused() throws IOException {
        for (Path each : new Path[]{inner, outer}) {
            giveAway(each);
            assertRefused(inner, each, "owner=" + OTHER_USER);
            setMode(each, 01777);
            assertRefused(inner, each, "owner=" + OTHER_USER);
            setMode(each, 0755);
            Files.setAttribute(each, "unix:uid", Files.getAttribute(directory, "unix:uid"));
        }
        assertTrusted(inner);
    }

    @Test
    void check_privateBelowADirectoryOfOthers_isTrusted() throws IOException {
        setMode(inner, 0700);
        for (int mode : new int[]{0777, 0775, 02775}) {
            setMode(outer, mode);
            assertTrusted(inner);
        }
        giveAway(outer);
        assertTrusted(inner);
        Path below = Files.createDirectory(inner.resolve("below"));
        assertTrusted(below);
        setMode(below, 0777);
        assertRefused(below, below, "mode=777");
    }

    @Test
    void check_linkBelowADirectoryOfOthers_isRefused() throws IOException {
        Path open = Files.createDirectory(outer.resolve("open"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), open);
        Path below = Files.createDirectory(open.resolve("below"));
        setMode(below, 0700);
        setMode(outer, 0777);
        assertTrusted(below);
        // The target of the link is looked up by its name each time.
        assertRefused(link.resolve("below"), outer, "mode=777");
    }

    @Test
    void checkSame_anotherDirectoryInItsPlace_isRefused() throws IOException {
        setMode(outer, 0777);
        setMode(inner, 0700);
        FileIdentity identity = DirectoryTrust.check(inner);
        assertThatCode(() -> DirectoryTrust.checkSame(identity)).doesNotThrowAnyException();
        Files.move(inner, outer.resolve("moved"));
        Path other = Files.createDirectory(inner);
        setMode(other, 0700);
        assertThatThrownBy(() -> DirectoryTrust.checkSame(identity))
                .isInstanceOf(FileTrust.UntrustedException.class)
                .hasMessageContaining("another directory has replaced it: directory=" + inner);
    }

    @Test
    void check_refused_namesARemedyThatTheUserHas() throws IOException {
        setMode(outer, 0777);
        assertRefused(inner, outer, "; use chmod go-w, or set the sticky bit");
        giveAway(outer);
        assertRefused(inner, outer, "; use chmod 700 " + inner);
        giveAway(inner);
        assertRefused(inner, outer, "; make a directory of your own with mkdir -m 700");
    }

    @Test
    void createPrivate_belowADirectoryOfOthers_isRefused() throws IOException {
        // Code is loaded from such directories: nobody else may choose which one it is.
        setMode(inner, 0700);
        setMode(outer, 0777);
        assertThatThrownBy(() -> DirectoryTrust.createPrivate(inner)).isInstanceOf(FileTrust.UntrustedException.class);
    }

    @Test
    void check_link_isTrustedAsItsTargetAndItsOwner() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("outer"));
        assertTrusted(link.resolve("inner"));
        Path second = Files.createSymbolicLink(inner.resolve("second"), link);
        Path first = Files.createSymbolicLink(directory.resolve("first"), second);
        assertTrusted(first.resolve("inner"));

        // The directory of the second link is neither in the path nor in the real path.
        setMode(inner, 0777);
        assertRefused(first, inner, "mode=777");
        setMode(inner, 0755);

        setMode(outer, 0777);
        assertRefused(link.resolve("inner"), outer, "mode=777");
        setMode(outer, 0755);

        giveAway(link);
        assertRefused(link.resolve("inner"), link, "owner=" + OTHER_USER);
        assertRefused(first, link, "owner=" + OTHER_USER);
    }

    @Test
    void check_loopOfLinksOrMissing_fails() throws IOException {
        Files.createSymbolicLink(directory.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(directory.resolve("b"), Path.of("a"));
        assertThatThrownBy(() -> DirectoryTrust.check(directory.resolve("a/c"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> DirectoryTrust.check(inner.resolve("c")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void createPrivate_newOrOwn_isForThisUserAlone() throws IOException {
        Path made = directory.resolve("new/parents/private");
        DirectoryTrust.createPrivate(made);
        assertThat((int) Files.getAttribute(made, "unix:mode") & 0777).isEqualTo(0700);
        // A umask of 002 would let the group write to the parents otherwise, and the check would refuse them.
        assertThat((int) Files.getAttribute(directory.resolve("new/parents"), "unix:mode") & 0777).isEqualTo(0700);
        assertThatCode(() -> DirectoryTrust.createPrivate(made)).doesNotThrowAnyException();
        setMode(made, 0710);
        assertThatThrownBy(() -> DirectoryTrust.createPrivate(made))
                .isInstanceOf(FileTrust.UntrustedException.class)
                .hasMessageContaining("mode=710; use chmod 700");
    }

    @Test
    void createPrivate_placeOfAnotherUser_isRefusedAndNothingIsMade() throws IOException {
        giveAway(inner);
        assertThatThrownBy(() -> DirectoryTrust.createPrivate(inner.resolve("a/b")))
                .isInstanceOf(FileTrust.UntrustedException.class);
        assertThatThrownBy(() -> DirectoryTrust.createPrivate(inner)).isInstanceOf(FileTrust.UntrustedException.class);
        Path link = Files.createSymbolicLink(directory.resolve("link"), inner);
        assertThatThrownBy(() -> DirectoryTrust.createPrivate(link)).isInstanceOf(FileTrust.UntrustedException.class);
        assertThat(inner).isEmptyDirectory();
    }
}
