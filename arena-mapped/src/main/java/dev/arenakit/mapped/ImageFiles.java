package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.arena.OwnedImage;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.image.ImageDeletion;
import dev.arenakit.mapped.internal.image.ImageRepairer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The files of an image: their names, and methods that delete, seal or repair a whole image.
///
/// The base of an image is a path such as `dir/memory`. Its files are in the same directory, and their names begin with
/// the file name of the base:
///
/// | file | contents |
/// |---|---|
/// | `memory.catalog` | a record of each allocation |
/// | `memory.lock` | nothing: the process that owns the image holds a lock on it |
/// | `memory-0`, `memory-1`, … | the data files, which hold the allocated memory |
///
/// To copy an image by other means than [ArenaImage#copyTo], copy the catalog and the data files. Methods that return a
/// path or a number do not access the file system. While [#delete], [#seal] or [#repair] changes an image, this process
/// owns it. All methods may be called by any thread.
public final class ImageFiles {
    private ImageFiles() {}

    /// {@return the path of the catalog}
    ///
    /// @param base the base of the image
    public static Path catalog(Path base) {
        return ImagePaths.catalog(base);
    }

    /// {@return the path of the lock file}
    ///
    /// @param base the base of the image
    public static Path lock(Path base) {
        return ImagePaths.lock(base);
    }

    /// {@return the path of a data file}
    ///
    /// @param base   the base of the image
    /// @param number the number of the data file, from 0
    public static Path data(Path base, long number) {
        return ImagePaths.data(base, number);
    }

    /// {@return the base of the image that a file with this name belongs to, or empty if no file of an image has this
    /// name}
    ///
    /// @param file the path of a catalog, a lock file or a data file
    public static Optional<Path> baseOf(Path file) {
        return ImagePaths.baseOf(file);
    }

    /// {@return the number in the name of a data file, or empty if no data file has this name}
    ///
    /// @param file the path of a data file
    public static OptionalLong numberOf(Path file) {
        return ImagePaths.numberOf(file);
    }

    /// Deletes an image that has no owner: the data files that its catalog records, the catalog, and the lock file.
    /// This process owns the image meanwhile, so that no other process reopens it. Symbolic links are not followed. A
    /// file that a process was creating when it died is deleted if it contains no data, and so is a file whose record
    /// was lost when the machine failed. Other files that are not recorded are not deleted.
    ///
    /// Catalog, lock file and data files must be regular files of the effective user, without other names (hard links),
    /// to which no other user may write. Otherwise, another user could choose the files that are deleted.
    ///
    /// If a data file cannot be deleted, or is not as described, the other data files are deleted and the catalog
    /// remains, so that the remaining file is still recorded.
    ///
    /// @param base the base of the image
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, it cannot be read, it is not as described, the file system
    ///                               has no locks, or a file could not be deleted
    public static void delete(Path base) throws IOException {
        ImageDeletion.delete(base);
    }

    /// Seals allocations of an image that has no owner, as [ArenaNames#seal(String)] does, and writes them to the
    /// device. Meanwhile, this process owns the image, as after [reopening][InfiniteArenaBuilder#reopen()] it, and the
    /// catalog records the process.
    ///
    /// If an allocation cannot be sealed, the allocations before it stay sealed.
    ///
    /// @param base  the base of the image
    /// @param which selects allocations among the live ones, in the order in which they were recorded
    /// @return the number of allocations that were sealed
    /// @throws IllegalStateException     if the image has an owner
    /// @throws CapacityExceededException if the catalog is full, or the process has 10,000 file mappings
    /// @throws IOException               if there is no catalog, the image cannot be reopened, a data file is missing,
    ///                                   truncated or cannot be read, or the disk is full
    public static long seal(Path base, Predicate<? super Allocation> which) throws IOException {
        // Check first: reopening an image writes to it.
        try (ArenaImage image = ArenaImage.open(base)) {
            if (image.ownerIsAlive()) {
                throw OwnedImage.owned(base, ", or seal in it with InfiniteArena.names().seal");
            }
            try (InfiniteArena arena = InfiniteArena.builder(base).unsafeDirectory().reopen();
                    Stream<Allocation> allocations = image.allocations()) {
                return arena.names()
                        .sealAll(allocations.filter(Allocation::isLive).filter(which), arena::force);
            }
        } catch (UncheckedIOException e) {
            // Unlike the message of the cause, this message names the operation and the remedy.
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Copies a damaged image and mends the copy. The original is only read. The copy has a new header if the header is
    /// damaged. Allocations keep their numbers. A record that cannot be read is replaced by a cancelled record; in a
    /// run, the records behind it are lost as well. A missing part of a data file becomes a hole, and the allocations
    /// of a missing file count as freed. If two live allocations have the same name, the earlier one counts as freed.
    /// Structures that have problems are [repaired][ImageStructures#repair], for which this process owns the copy
    /// meanwhile. If the structures cannot be checked or repaired, the copy remains, and a repair describes the reason.
    ///
    /// The copy can be reopened, and has no owner. [ImageIntegrity#problems] of the copy reports the problems that
    /// could not be mended: allocations that overlap, types that cannot be parsed, unknown numbers of elements, and
    /// structures that could not be repaired. No process may open the original for writing meanwhile.
    ///
    /// @param base the base of the damaged image
    /// @param to   the base of the copy, whose files must not exist yet
    /// @return the repairs, in the order in which they were made
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, nothing of it can be read, a later version has written it,
    ///                               or a file cannot be read or created; no file of the copy remains
    public static List<Repair> repair(Path base, Path to) throws IOException {
        return repair(base, to, _ -> {});
    }

    /// Copies a damaged image, mends the copy, and reports the progress. An exception of the consumer ends the copy
    /// like any other exception.
    ///
    /// Otherwise, this method behaves as [#repair(Path, Path)] does.
    ///
    /// @param base     the base of the damaged image
    /// @param to       the base of the copy, whose files must not exist yet
    /// @param progress receives the number of bytes that were copied so far, now and then
    /// @return the repairs, in the order in which they were made
    /// @throws IllegalStateException if the image has an owner
    /// @throws IOException           if there is no catalog, nothing of it can be read, a later version has written it,
    ///                               or a file cannot be read or created; no file of the copy remains
    public static List<Repair> repair(Path base, Path to, LongConsumer progress) throws IOException {
        List<Repair> repairs = new ArrayList<>(ImageRepairer.repair(base, to, progress));
        try {
            repairStructures(to, repairs);
        } catch (IOException | RuntimeException e) {
            repairs.add(new Repair("Structures of the copy could not be checked: reason=" + e.getMessage(), true));
        }
        return List.copyOf(repairs);
    }

    private static void repairStructures(Path base, List<Repair> repairs) throws IOException {
        Map<String, String> broken = brokenStructures(base);
        if (broken.isEmpty()) {
            return;
        }
        Map<String, StructureRepair> repaired = new LinkedHashMap<>();
        try (InfiniteArena arena = InfiniteArena.builder(base).unsafeDirectory().reopen()) {
            for (String name : broken.keySet()) {
                try {
                    repaired.put(name, arena.structures().repair(name));
                } catch (RuntimeException e) {
                    repairs.add(new Repair("Structure was not repaired: name=" + name + ", reason="
                            + e.getMessage(), true));
                }
            }
        } catch (RuntimeException e) {
            repairs.add(new Repair("Structures of the copy could not be repaired: reason=" + e.getMessage(),
                    true));
        }
        Map<String, String> left = brokenStructures(base);
        repaired.keySet().removeAll(left.keySet());
        repaired.forEach(
                (name, repair) -> repairs.add(new Repair("Structure was repaired: name=" + name + ", kept="
                        + repair.kept() + ", dropped=" + repair.dropped() + ", problem=" + broken.get(name)
                        + (repair.lost().isEmpty() ? "" : ", lost=" + repair.lost()), true)));
        left.forEach((name, problem) -> repairs.add(new Repair("Structure could not be repaired: name=" + name
                + ", problem=" + problem, true)));
    }

    /// The names of the structures that have problems, and the first problem of each.
    private static Map<String, String> brokenStructures(Path base) throws IOException {
        Map<String, String> broken = new LinkedHashMap<>();
        try (ArenaImage image = ArenaImage.open(base); Stream<Allocation> allocations = image.allocations()) {
            for (Allocation allocation : (Iterable<Allocation>) allocations.filter(Allocation::isLive)::iterator) {
                try {
                    Optional<ImageEntries> entries = image.entries(allocation);
                    if (entries.isPresent()) {
                        entries.get().check(problem -> broken.putIfAbsent(allocation.label(), problem));
                    }
                } catch (IllegalArgumentException _) {
                    // The type cannot be parsed, which is a problem of the image.
                } catch (IOException e) {
                    broken.putIfAbsent(allocation.label(), String.valueOf(e.getMessage()));
                }
            }
        }
        return broken;
    }

    /// A change that [#repair] has made in the copy of a damaged image.
    ///
    /// @param description the damage and the repair, with the values involved
    /// @param isLoss      whether records or data that the image once had are not in the copy
    public record Repair(String description, boolean isLoss) {}
}
