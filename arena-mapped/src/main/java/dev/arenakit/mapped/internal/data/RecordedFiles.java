package dev.arenakit.mapped.internal.data;

import dev.arenakit.mapped.internal.catalog.CatalogEntry.DataFile;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Opened;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The data files that previous owners have recorded.
public final class RecordedFiles {
    private final Map<Integer, Integer> lines = new HashMap<>();
    private final Map<Integer, Integer> planned = new HashMap<>();
    private final BitSet referred = new BitSet();
    private final Map<Integer, Integer> removed = new HashMap<>();
    /// The files of allocations that were freed, and whose removal may have begun.
    private final BitSet freed = new BitSet();
    private int next;
    /// Whether the last previous owner has died: it may have made files whose records were lost.
    private boolean hasDied;

    public RecordedFiles() {}

    /// Adds an owner, which counts until the next one is added.
    public void add(Opened owner) {
        hasDied = owner.state() != CatalogFormat.STATE_ENDED;
    }

    /// Adds the record of a file.
    public void add(DataFile file) {
        next = Math.max(next, file.number() + 1);
        if (file.isRemoved()) {
            removed.put(file.number(), file.line());
        } else {
            (file.isPlanned() ? planned : lines).put(file.number(), file.line());
        }
    }

    /// Adds a file to which an allocation or a run refers.
    public void addReferred(int number) {
        next = Math.max(next, number + 1);
        referred.set(number);
    }

    /// Adds a file of an allocation that was freed. If its record says that it was removed, it may be there.
    public void addFreed(int number) {
        addReferred(number);
        freed.set(number);
    }

    /// The numbers of the files that are there, as far as the catalog knows, or whose removal has not ended.
    BitSet present() {
        BitSet present = (BitSet) referred.clone();
        removed.keySet().forEach(present::clear);
        lines().keySet().forEach(present::set);
        return present;
    }

    /// The lines of the records of these files by their numbers. The record of a file may be lost.
    Map<Integer, Integer> lines() {
        Map<Integer, Integer> all = new HashMap<>(lines);
        removed.forEach((number, line) -> {
            if (freed.get(number)) {
                all.putIfAbsent(number, line);
            }
        });
        return all;
    }

    /// The numbers of the files whose removal has not ended.
    BitSet removing() {
        BitSet removing = new BitSet();
        removed.keySet().stream().filter(freed::get).forEach(removing::set);
        return removing;
    }

    /// The first number that no file has ever had.
    int next() {
        return next;
    }

    /// Resolves files whose records were lost when the machine failed. A file to which an entry refers is recorded again.
    /// Any other file is deleted if it is empty and the last owner has died.
    ///
    /// @param isLocked whether the system guarantees that there is no other owner; without this guarantee, nothing is
    ///                 changed
    public void resolveUnrecorded(Path base, CatalogWriter catalog, boolean isLocked) {
        if (!isLocked) {
            return;
        }
        BitSet known = new BitSet();
        for (Map<Integer, Integer> records : List.of(lines, planned, removed)) {
            records.keySet().forEach(known::set);
        }
        BitSet lost = (BitSet) referred.clone();
        lost.andNot(known);
        for (int number : lost.stream().toArray()) {
            if (Files.isRegularFile(ImagePaths.data(base, number), LinkOption.NOFOLLOW_LINKS)) {
                int line = catalog.planDataFile(number);
                catalog.confirmDataFile(line, 0);
                lines.put(number, line);
            }
        }
        if (!hasDied) {
            return;
        }
        known.or(lost);
        try {
            for (Path file : emptyUnrecorded(base, known)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // They do no harm.
        }
    }

    /// Finds the data files without a record that an owner may have made: when the machine failed, the name of a new file
    /// may have been on the disk before the page of the catalog that plans it. An owner takes one number after the other.
    ///
    /// @param known the numbers of the files in the catalog
    public static SortedSet<Long> unrecorded(Path base, BitSet known) throws IOException {
        SortedSet<Long> unrecorded = new TreeSet<>();
        long next = known.length();
        for (long number : ImagePaths.numbers(base)) {
            if (number > next) {
                break;
            }
            next = Math.max(next, number + 1);
            if (!known.get((int) number)) {
                unrecorded.add(number);
            }
        }
        return unrecorded;
    }

    /// Finds the data files without a record that are empty, and belong to this user alone.
    ///
    /// @param known the numbers of the files in the catalog
    public static List<Path> emptyUnrecorded(Path base, BitSet known) throws IOException {
        List<Path> empty = new ArrayList<>();
        for (long number : unrecorded(base, known)) {
            Path file = ImagePaths.data(base, number);
            if (isEmpty(file)) {
                empty.add(file);
            }
        }
        return empty;
    }

    /// Resolves the records of planned files, whose writers have died. A file to which an entry refers is there. Any
    /// other file is deleted if it is empty.
    ///
    /// @param isLocked whether the system guarantees that there is no other owner, who may be creating a file; without
    ///                 this guarantee, no file is deleted
    public void resolvePlanned(Path base, CatalogWriter catalog, boolean isLocked) {
        for (Map.Entry<Integer, Integer> file : planned.entrySet()) {
            int number = file.getKey();
            Path path = ImagePaths.data(base, number);
            if (lines.containsKey(number)) {
                catalog.removeDataFile(file.getValue());
            } else if (referred.get(number)) {
                catalog.confirmDataFile(file.getValue(), 0);
                lines.put(number, file.getValue());
            } else if (isLocked && isGone(path)) {
                catalog.removeDataFile(file.getValue());
            }
        }
    }

    /// Whether a file does not exist, or was not used and is deleted.
    private static boolean isGone(Path file) {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                if (!isUnused(file)) {
                    return false;
                }
                Files.deleteIfExists(file);
            }
            return true;
        } catch (IOException _) {
            // It does no harm, and the next owner tries again.
            return false;
        }
    }

    /// Whether a planned file contains nothing but zeros and belongs to this user alone. Its creator may have reserved
    /// blocks, which count as data on ext4 if somebody has read them.
    public static boolean isUnused(Path file) throws IOException {
        return isOwn(file, path -> FileExtentSource.isEmpty(path) || FileExtentSource.isZero(path));
    }

    /// Whether a file contains no data and belongs to this user alone, so that nothing is lost if it is deleted: another
    /// program may have made a file with the number since.
    public static boolean isEmpty(Path file) throws IOException {
        return isOwn(file, FileExtentSource::isEmpty);
    }

    private static boolean isOwn(Path file, Contents expected) throws IOException {
        try {
            FileTrust.check(file);
            return expected.areIn(file);
        } catch (FileTrust.UntrustedException | NoSuchFileException _) {
            return false;
        }
    }

    private interface Contents {
        boolean areIn(Path file) throws IOException;
    }
}
