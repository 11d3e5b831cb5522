package dev.arenakit.mapped.internal.files;

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
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Checks that no other user can replace the files in a directory.
///
/// A directory is trusted if it and its parents belong to the effective user of this process or to root, and nobody
/// else may write to them, unless they have the sticky bit: in such a directory, only the owner of a file may replace
/// it. If a part of the path is a symbolic link, the link belongs to the user or to root, too, and the directory to which
/// it leads is trusted. Where files have no POSIX attributes, every directory is trusted.
///
/// The private group of the user, which has the user's name, is nobody else: many systems give each user such a group
/// and a umask of 002, so that it may write to all directories of the user. Root has no private group.
public final class DirectoryTrust {
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int WRITABLE_BY_ALL = 0002;
    private static final int ACCESSIBLE_BY_OTHERS = 0077;
    private static final int PERMISSIONS = 07777;
    private static final int ROOT = 0;

    private DirectoryTrust() {}

    /// Checks a directory.
    ///
    /// @throws FileTrust.UntrustedException with the directory or the link that is not trusted
    /// @throws IOException                  if there is no such directory, or its attributes cannot be read
    public static void check(Path directory) throws IOException {
        if (hasOwners(directory)) {
            check(directory, EffectiveUser.id());
        }
    }

    /// @param user the effective user
    static void check(Path directory, int user) throws IOException {
        Path root = directory.toAbsolutePath().getRoot();
        // In a container, the owner of the root may have another number. Nobody is safe from this user.
        Set<Integer> trusted = Set.copyOf(List.of(user, ROOT, Entry.of(root).owner));
        Set<Path> checked = new HashSet<>();
        Deque<Path> left = new ArrayDeque<>(List.of(directory.toAbsolutePath()));
        while (!left.isEmpty()) {
            Path path = root;
            check(path, Entry.of(path), trusted);
            for (Path name : left.pop()) {
                path = path.resolve(name);
                if (checked.add(path)) {
                    Entry entry = Entry.of(path);
                    check(path, entry, trusted);
                    if (entry.isLink) {
                        left.push(path.resolveSibling(Files.readSymbolicLink(path)));
                    }
                }
            }
        }
    }

    private static void check(Path path, Entry entry, Set<Integer> trusted) throws IOException {
        if (!trusted.contains(entry.owner)) {
            throw new FileTrust.UntrustedException(path, "another user may replace the files of a directory: directory="
                    + path + ", " + entry + "; use a directory of your own");
        }
        if (!entry.isLink && (entry.mode & WRITABLE_BY_OTHERS) != 0 && (entry.mode & STICKY) == 0
                && !isWritableByPrivateGroup(path, entry)) {
            throw new FileTrust.UntrustedException(path, "other users may replace the files of a directory: directory="
                    + path + ", " + entry + "; use chmod go-w, or set the sticky bit");
        }
    }

    /// Whether the owner, who is the user, and the private group of the owner are all who may write to a directory.
    private static boolean isWritableByPrivateGroup(Path path, Entry entry) throws IOException {
        if (entry.owner == ROOT || (entry.mode & WRITABLE_BY_ALL) != 0) {
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
        check(existing);
        try {
            // With a usual umask, a group could write to the parents, and the check would refuse them.
            Files.createDirectories(path,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException _) {
            // The checks follow.
        }
        check(path);
        Entry entry = Entry.of(path);
        if (!entry.isDirectory || entry.owner != EffectiveUser.id() || (entry.mode & ACCESSIBLE_BY_OTHERS) != 0) {
            throw new FileTrust.UntrustedException(path,
                    "Not a directory of this user alone: path=" + path + ", " + entry
                            + "; use chmod 700, or remove it");
        }
    }

    private static boolean hasOwners(Path directory) {
        return directory.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /// What a part of a path leads to, without following a symbolic link.
    private record Entry(boolean isDirectory, boolean isLink, int owner, int mode) {
        static Entry of(Path path) throws IOException {
            Map<String, Object> all = Files.readAttributes(path, "unix:isDirectory,isSymbolicLink,uid,mode",
                    LinkOption.NOFOLLOW_LINKS);
            return new Entry((boolean) Objects.requireNonNull(all.get("isDirectory")),
                    (boolean) Objects.requireNonNull(all.get("isSymbolicLink")),
                    (int) Objects.requireNonNull(all.get("uid")), (int) Objects.requireNonNull(all.get("mode")));
        }

        @Override
        public String toString() {
            return "owner=" + Integer.toUnsignedString(owner) + ", mode=" + Integer.toOctalString(mode & PERMISSIONS);
        }
    }
}
