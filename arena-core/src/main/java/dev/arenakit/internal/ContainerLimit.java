package dev.arenakit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The memory limit of the container of this process: the smallest limit of its control groups, of version 1 and 2.
public final class ContainerLimit {
    private ContainerLimit() {}

    /// Checks the share of the container that a pool may take.
    public static double checkShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("Share is out of range: share=" + share + ", largest=1.0; pass a "
                    + "fraction of the container, such as 0.25");
        }
        return share;
    }

    /// Returns the limit of a pool, which must be able to hold one slab.
    ///
    /// @param maxByteSize the limit that the user has set, or [Long#MAX_VALUE]
    /// @param share       the largest share of the container, or 0 if there is no such limit
    public static long limit(long maxByteSize, double share, long slabByteSize) {
        if (maxByteSize < slabByteSize) {
            throw new IllegalArgumentException("Pool cannot hold one slab: maxByteSize=" + maxByteSize
                    + ", slabByteSize=" + slabByteSize + "; raise maxByteSize or choose smaller slabs");
        }
        return limit(maxByteSize, share, share == 0 ? Long.MAX_VALUE : byteSize(Path.of("/")), slabByteSize);
    }

    /// Returns the limit of a pool in a container.
    static long limit(long maxByteSize, double share, long container, long slabByteSize) {
        if (container == Long.MAX_VALUE) {
            return maxByteSize;
        }
        long part = (long) (container * share);
        if (part < slabByteSize) {
            throw new IllegalArgumentException("Pool cannot hold one slab: maxContainerShare=" + share
                    + ", containerByteSize=" + container + ", slabByteSize=" + slabByteSize
                    + "; raise maxContainerShare or the limit of the container, or choose smaller slabs");
        }
        return Math.min(maxByteSize, part);
    }

    /// Returns the limit of the container in bytes, or [Long#MAX_VALUE] if there is none.
    ///
    /// @param root the root of the file system
    /// @throws UncheckedIOException if a file of the kernel cannot be read, or contains no limit
    static long byteSize(Path root) {
        try {
            List<String> mounts = lines(root.resolve("proc/self/mountinfo"));
            long limit = Long.MAX_VALUE;
            // A line has an identifier, the controllers, and the path of the group in the hierarchy.
            for (String line : lines(root.resolve("proc/self/cgroup"))) {
                String[] group = line.split(":", 3);
                if (group.length == 3 && group[0].equals("0")) {
                    limit = Math.min(limit, smallest(root, mounts, "cgroup2", "", group[2], "memory.max"));
                } else if (group.length == 3 && isIn(group[1], "memory")) {
                    limit = Math.min(limit, smallest(root, mounts, "cgroup", "memory", group[2],
                            "memory.limit_in_bytes"));
                }
            }
            return limit;
        } catch (IOException e) {
            throw new UncheckedIOException("Limit of the container cannot be read: " + e.getMessage()
                    + "; set maxByteSize instead of maxContainerShare", e);
        }
    }

    /// Returns the smallest limit of a group and of the groups above it, as far as the container sees them.
    private static long smallest(Path root, List<String> mounts, String type, String controller, String group,
            String file) throws IOException {
        long limit = Long.MAX_VALUE;
        for (String mount : mounts) {
            // ID PARENT DEVICE ROOT MOUNT_POINT OPTIONS [...] - TYPE SOURCE SUPER_OPTIONS
            String[] fields = mount.split(" ", -1);
            int index = Arrays.asList(fields).indexOf("-") + 1;
            if (index < 6 || fields.length < index + 3 || !fields[index].equals(type)
                    || (!controller.isEmpty() && !isIn(fields[index + 2], controller))) {
                continue;
            }
            Path top = root.resolve(fields[4].substring(1)).normalize();
            // In a container, the mount may show a part of the hierarchy, and the group may be outside of it.
            Path below = Path.of(fields[3]).normalize().relativize(Path.of(group).normalize());
            Path directory = below.startsWith("..") ? top : top.resolve(below).normalize();
            limit = Math.min(limit, read(top.resolve(file)));
            while (!directory.equals(top)) {
                limit = Math.min(limit, read(directory.resolve(file)));
                directory = directory.resolveSibling("").normalize();
            }
        }
        return limit;
    }

    private static boolean isIn(String list, String name) {
        return Arrays.asList(list.split(",", -1)).contains(name);
    }

    /// Reads a limit. The topmost group of version 2 has no file, and a group without a limit of version 1 has a limit
    /// that is larger than all memory.
    private static long read(Path file) throws IOException {
        List<String> lines = lines(file);
        if (lines.isEmpty() || lines.getFirst().equals("max")) {
            return Long.MAX_VALUE;
        }
        try {
            long limit = Long.parseLong(lines.getFirst());
            return limit > Sizes.ADDRESSABLE ? Long.MAX_VALUE : limit;
        } catch (NumberFormatException e) {
            throw new IOException("file=" + file + ", content=" + lines.getFirst(), e);
        }
    }

    /// Returns the lines of a file, or none if there is no such file.
    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }
}
