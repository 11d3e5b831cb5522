package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.internal.files.FileTrust.UnixAttributes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks that no other user can replace the files in a directory.
///
/// A directory is trusted if it and its parents belong to the effective user of this process or to root, and nobody
/// else may write to them, unless they have the sticky bit: in such a directory, only the owner of a file may replace
/// it. If a part of the path is a symbolic link, the link belongs to the user or to root, too, and the directory to which
/// it leads is trusted. Where files have no POSIX attributes, every directory is trusted.
///
/// A private directory, which only the user may access, is trusted wherever it is: others can move it, but not change
/// it. Whoever opens files in it checks afterwards that the path still leads to it.
///
/// The private group of the user, which has the user's name, is nobody else: many systems give each user such a group
/// and a umask of 002, so that it may write to all directories of the user. Root has no private group.
public final class DirectoryTrust {
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_ALL = 0002;
    private static final int ACCESSIBLE_BY_OTHERS = 0077;

    private DirectoryTrust() {}

    /// Checks a directory.
    ///
    /// @return the identity of the directory, to check it again after its files were opened
    /// @throws FileTrust.UntrustedException with the directory or the link that is not trusted
    /// @throws IOException                  if there is no such directory, or its attributes cannot be read
    public static FileIdentity check(Path directory) throws IOException {
        FileIdentity identity = FileIdentity.ofAny(directory);
        if (hasOwners(directory)) {
            check(directory, EffectiveUser.id(), true);
        }
        return identity;
    }

    /// Checks a directory again, whose files were opened meanwhile.
    ///
    /// @throws FileTrust.UntrustedException if the directory is not trusted any longer, or another one has replaced it
    public static void checkSame(FileIdentity directory) throws IOException {
        if (!check(directory.path()).equals(directory)) {
            throw new FileTrust.UntrustedException(directory.path(),
                    "another directory has replaced it: directory=" + directory.path());
        }
    }

    /// @param user    the effective user
    /// @param mayMove whether others may replace the parents of a private directory
    static void check(Path directory, int user, boolean mayMove) throws IOException {
        Path root = directory.toAbsolutePath().getRoot();
        // In a container, the owner of the root may have another number. Nobody is safe from this user.
        Set<Integer> trusted = Set.copyOf(List.of(user, FileTrust.ROOT, entry(root).owner()));
        Set<Path> checked = new HashSet<>();
        Deque<Path> left = new ArrayDeque<>(List.of(directory.toAbsolutePath()));
        while (!left.isEmpty()) {
            Path path = root;
            UnixAttributes entry = entry(path);
            Optional<Problem> problem = problem(path, entry, trusted);
            for (Path name : left.pop()) {
                path = path.resolve(name);
                entry = entry(path);
                if (entry.isLink()) {
                    checkLink(path, entry, trusted);
                    if (checked.add(path)) {
                        left.push(path.resolveSibling(Files.readSymbolicLink(path)));
                    }
                } else if (mayMove && isPrivate(entry, user)) {
                    problem = Optional.empty();
                } else if (problem.isEmpty()) {
                    problem = problem(path, entry, trusted);
                }
            }
            if (problem.isPresent()) {
                throw problem.get().exception(path, entry, user, mayMove);
            }
        }
    }

    private static void checkLink(Path path, UnixAttributes entry, Set<Integer> trusted) throws IOException {
        if (!trusted.contains(entry.owner())) {
            throw new FileTrust.UntrustedException(path, "another user may replace a symbolic link: directory=" + path
                    + ", " + entry + "; use a path without this link");
        }
    }

    private static Optional<Problem> problem(Path path, UnixAttributes entry, Set<Integer> trusted) throws IOException {
        if (!trusted.contains(entry.owner())) {
            return Optional.of(new Problem(path, entry, "another user"));
        }
        boolean isWritable = (entry.mode() & FileTrust.WRITABLE_BY_OTHERS) != 0 && (entry.mode() & STICKY) == 0
                && !isWritableByPrivateGroup(path, entry);
        return isWritable ? Optional.of(new Problem(path, entry, "other users")) : Optional.empty();
    }

    /// A part of the path, and who may replace its files.
    private record Problem(Path part, UnixAttributes entry, String who) {
        /// @param directory the directory to which the path leads
        /// @param found     the attributes of that directory
        FileTrust.UntrustedException exception(Path directory, UnixAttributes found, int user, boolean mayMove) {
            String remedy;
            if (entry.owner() == user) {
                remedy = "use chmod go-w, or set the sticky bit";
            } else if (!mayMove) {
                remedy = "use a directory of your own";
            } else if (found.owner() == user) {
                remedy = "use chmod 700 " + directory;
            } else {
                remedy = "make a directory of your own with mkdir -m 700";
            }
            return new FileTrust.UntrustedException(part, who + " may replace the files of a directory: directory="
                    + part + ", " + entry + "; " + remedy);
        }
    }

    /// Whether the owner, who is the user, and the private group of the owner are all who may write to a directory.
    private static boolean isWritableByPrivateGroup(Path path, UnixAttributes entry) throws IOException {
        if (entry.owner() == FileTrust.ROOT || (entry.mode() & WRITABLE_BY_ALL) != 0) {
            return false;
        }
        PosixFileAttributes names = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return names.group().getName().equals(names.owner().getName());
    }

    /// Creates a directory for this user alone unless it exists, and its parents, and checks it.
    ///
    /// @throws FileTrust.UntrustedException if another user has made the directory, or has access to it
    public static void createPrivate(Path directory) throws IOException {
        Path path = directory.toAbsolutePath();
        if (!hasOwners(path)) {
            Files.createDirectories(path);
            return;
        }
        Path existing = path;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = existing.resolveSibling("");
        }
        // Another user may not choose where this user makes directories.
        check(existing, EffectiveUser.id(), false);
        try {
            // With a usual umask, a group could write to the parents, and the check would refuse them.
            Files.createDirectories(path,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException _) {
            // The checks follow.
        }
        check(path, EffectiveUser.id(), false);
        UnixAttributes entry = entry(path);
        if (!isPrivate(entry, EffectiveUser.id())) {
            throw new FileTrust.UntrustedException(path,
                    "Not a directory of this user alone: path=" + path + ", " + entry
                            + "; use chmod 700, or remove it");
        }
    }

    private static boolean hasOwners(Path directory) {
        return directory.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static boolean isPrivate(UnixAttributes entry, int user) {
        return entry.isDirectory() && entry.owner() == user && (entry.mode() & ACCESSIBLE_BY_OTHERS) == 0;
    }

    /// The attributes of a part of a path, without following a symbolic link.
    private static UnixAttributes entry(Path path) throws IOException {
        return UnixAttributes.read(path, LinkOption.NOFOLLOW_LINKS);
    }
}
