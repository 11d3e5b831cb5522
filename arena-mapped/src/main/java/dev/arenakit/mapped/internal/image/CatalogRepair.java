package dev.arenakit.mapped.internal.image;

import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Allocated;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Run;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Unreadable;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.ImagePaths;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Mends the copy of a damaged catalog. Each valid entry stays in its line.
final class CatalogRepair {
    /// The largest number of lines that an owner reserves for one entry. More lines are a hole, which no owner has
    /// made, and which would take gigabytes if each line were written.
    private static final long LARGEST_UNFINISHED = CatalogFormat.textByteSize(CatalogFormat.LARGEST_TEXT) / LINE;

    private final CatalogReader catalog;
    private final CatalogPatch patch;
    private final List<ImageFiles.Repair> repairs;
    private final Runnable progress;
    private final Predicate<Allocated> isStructure;
    private final NavigableMap<Integer, RepairedFile> files = new TreeMap<>();
    /// The lines of the files that are recorded as removed, and of planned files, by their numbers.
    private final Map<Integer, Integer> removed = new HashMap<>();
    private final Map<Integer, Integer> planned = new TreeMap<>();
    /// The files with live allocations.
    private final BitSet live = new BitSet();
    private long end;

    /// The run that was read last, or null if it was mended.
    private @Nullable Run run;
    /// The number of its valid slots.
    private int slots;

    /// Consecutive lines that were cancelled, which are reported as one change.
    private int firstCancelled;
    private int lastCancelled;
    private boolean isFinished;

    /// The line of the last number of elements that was kept, or 0.
    private int lastCount;

    private boolean hasTimes;
    private boolean hasOwner;
    private boolean hasDied;
    private boolean hasEntry;

    /// @param progress    runs for each entry that is read, and may throw an exception to end the repair
    /// @param isStructure tells whether an allocation is a structure
    CatalogRepair(CatalogReader catalog, FileChannel copy, List<ImageFiles.Repair> repairs, Runnable progress,
            Predicate<Allocated> isStructure) throws IOException {
        this.progress = progress;
        this.isStructure = isStructure;
        this.catalog = catalog;
        patch = new CatalogPatch(copy);
        this.repairs = repairs;
        end = findEnd();
    }

    /// The end of the entries, in bytes.
    long end() {
        return end;
    }

    private long findEnd() throws IOException {
        CatalogScan scan = CatalogScan.ofWholeFile(catalog);
        if (catalog.isHighWaterValid() && catalog.highWater() <= catalog.byteSize()) {
            if (catalog.highWater() < scan.end()) {
                mended("High-water mark was before the last record, and was set: highWater=" + catalog.highWater()
                        + ", end=" + scan.end());
            }
            return scan.end();
        }
        // The lines after the last entry were never used.
        long last = CatalogFormat.FIRST_ENTRY;
        for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
            progress.run();
            if (!(entry instanceof Unreadable unreadable) || unreadable.isFinished()) {
                last = scan.position();
            }
        }
        boolean isTruncated = catalog.isHighWaterValid();
        repairs.add(new ImageFiles.Repair((isTruncated ? "Catalog is truncated" : "High-water mark is damaged")
                + ", and the mark was set: highWater=" + catalog.highWater() + ", end=" + last, isTruncated));
        return last;
    }

    /// Mends the entries in the copy.
    ///
    /// @return the data files that the entries refer to
    NavigableMap<Integer, RepairedFile> mendEntries() throws IOException {
        CatalogScan scan = CatalogScan.ofWholeFile(catalog);
        for (CatalogEntry entry = scan.next(); entry != null && scan.position() <= end; entry = scan.next()) {
            progress.run();
            mend(entry, scan.position());
        }
        mendRun();
        reportCancelled();
        if (!hasEntry) {
            throw new IOException("Nothing of the catalog can be read: path=" + catalog.file()
                    + "; the data files can be read without it");
        }
        mendRemoved();
        return files;
    }

    /// Records files that have live allocations: an owner frees all allocations of a file before it removes the file.
    private void mendRemoved() throws IOException {
        for (Map.Entry<Integer, Integer> record : removed.entrySet()) {
            int number = record.getKey();
            if (live.get(number) && !file(number).isRecorded()) {
                file(number).record(0);
                patch.setState(record.getValue() * LINE, CatalogFormat.STATE_LIVE);
                mended("Data file was recorded as removed, has live allocations, and was recorded: number=" + number);
            } else if (!file(number).isRecorded()) {
                files.remove(number);
            }
        }
    }

    /// Records that files are there that were planned when their writer died, and that contain data or to which an
    /// entry refers.
    ///
    /// @param base the base of the damaged image
    void confirmPlanned(Path base) throws IOException {
        for (Map.Entry<Integer, Integer> file : planned.entrySet()) {
            int number = file.getKey();
            Path path = ImagePaths.data(base, number);
            if (files.containsKey(number) || (Files.isRegularFile(path) && !FileExtentSource.isEmpty(path))) {
                file(number).record(0);
                patch.setState(file.getValue() * LINE, CatalogFormat.STATE_LIVE);
                mended("Data file was planned and is used, and was recorded: number=" + number);
            }
        }
    }

    /// Whether a file is recorded as planned or removed.
    boolean isExpectedToBeMissing(int file) {
        return planned.containsKey(file) || removed.containsKey(file);
    }

    /// Whether the last owner has died, and may have made files whose records were lost.
    boolean hasDied() {
        return hasDied;
    }

    /// The numbers of the files in the catalog.
    BitSet known() {
        BitSet known = new BitSet();
        for (Map<Integer, ?> records : List.of(files, planned, removed)) {
            records.keySet().forEach(known::set);
        }
        return known;
    }

    private void mend(CatalogEntry entry, long position) throws IOException {
        if (entry instanceof Unreadable unreadable) {
            if (run != null && unreadable.line() < run.line() + run.lines()) {
                cut(run);
            } else {
                mendRun();
                cancel(unreadable);
            }
            return;
        }
        reportCancelled();
        if (entry instanceof Allocated allocated) {
            mend(allocated);
            return;
        }
        mendRun();
        switch (entry) {
            case Run next -> {
                run = next;
                slots = 0;
                file(next.file()).add(next);
                hasTimes |= next.time() != 0;
                hasEntry = true;
            }
            case CatalogEntry.DataFile file -> {
                hasEntry = true;
                if (file.isRemoved()) {
                    removed.put(file.number(), file.line());
                } else if (file.isPlanned()) {
                    planned.put(file.number(), file.line());
                } else {
                    file(file.number()).record(file.byteSize());
                    mendState(file.line() * LINE, file.state(), "data file, number=" + file.number());
                }
            }
            case CatalogEntry.Opened opened -> {
                hasOwner = true;
                hasDied = opened.state() != CatalogFormat.STATE_ENDED;
                hasEntry = true;
                mendState(position - LINE, opened.state(), "owner, pid=" + opened.pid());
            }
            case CatalogEntry.Count count -> mendCount(count);
            default -> {
                // Texts and cancelled lines have no state.
            }
        }
    }

    private void mend(Allocated allocated) throws IOException {
        hasEntry = true;
        for (AllocationPart part : allocated.partsOfAllFiles()) {
            // A file into which it has not grown yet is made anew if it is missing.
            file(part.file());
            if (allocated.isLive()) {
                live.set(part.file());
            }
        }
        allocated.parts().forEach(part -> file(part.file()).add(part));
        if (isStructure.test(allocated)) {
            allocated.partsOfAllFiles().forEach(part -> file(part.file()).structure = allocated.file());
        } else if (allocated.maxByteSize() > 0 && allocated.isLive() && lastCount != allocated.line() - 1) {
            repairs.add(new ImageFiles.Repair("Number of elements is unknown: name="
                    + AllocationSpliterator.allocation(allocated).label() + "; count them, and store their number by"
                    + " InfiniteArena.names().growable(name, type, 1).elementCount(n)", true));
        }
        Run current = run;
        if (current != null && allocated.number() * SLOT < (current.line() + current.lines()) * LINE) {
            slots++;
            return;
        }
        mendRun();
        hasTimes |= allocated.time() != 0 && allocated.name().line() == 0;
        if (!allocated.isFreed()) {
            mendState(allocated.line() * LINE, allocated.state(),
                    "allocation, " + AllocationSpliterator.allocation(allocated).label());
        }
    }

    private void mendState(long at, int state, String what) throws IOException {
        if (state != CatalogFormat.STATE_LIVE && state != CatalogFormat.STATE_ENDED) {
            patch.setState(at, CatalogFormat.STATE_LIVE);
            mended("State was damaged, and was set to live: " + what + ", state=" + state);
        }
    }

    /// Replaces a damaged number of elements by the other one. If both are damaged, or the elements of the other one may
    /// have been lost when the machine failed, the number is not known.
    private void mendCount(CatalogEntry.Count count) throws IOException {
        lastCount = count.line();
        if (!count.isDamaged()) {
            // All elements are in the files, which are on the device with the copy.
            if (count.count() != count.forced() && count.valid(catalog.boot()) == count.count()) {
                patch.setCounts(count.line(), count.count());
            }
            return;
        }
        // That nothing was forced says nothing about a damaged number.
        boolean isUnknown = count.count() < 0 && count.forced() == CatalogFormat.NOT_COUNTED;
        long known = count.count() < 0 || count.count() == CatalogFormat.NOT_COUNTED
                ? Math.max(count.count(), count.forced())
                : count.valid(catalog.boot());
        long trusted = isUnknown ? -1 : known;
        if (trusted < 0) {
            patch.cancel(count.line());
            lastCount = 0;
        } else {
            patch.setCounts(count.line(), trusted);
        }
        repairs.add(new ImageFiles.Repair(
                "Number of elements was damaged: line=" + count.line() + ", count=" + count.count()
                        + ", forced=" + count.forced() + (trusted < 0 || count.forced() < 0
                                ? ""
                                : "; the forced number was taken"),
                trusted < 0 || count.count() < 0));
    }

    /// Corrects the state of a run whose slots are valid.
    private void mendRun() throws IOException {
        Run read = run;
        run = null;
        if (read != null && read.used() != -1 && read.used() != slots) {
            patch.setState(read.line() * LINE, slots + 1);
            mended("State of a run was damaged, and was set: line=" + read.line() + ", used=" + read.used()
                    + ", found=" + slots);
        }
    }

    /// Ends a run before its first damaged slot.
    private void cut(Run damaged) throws IOException {
        run = null;
        long at = (damaged.line() + 1) * LINE + slots * SLOT;
        boolean isEmpty = patch.clear(at, (damaged.line() + damaged.lines()) * LINE);
        patch.setState(damaged.line() * LINE, slots + 1);
        boolean isLoss = !isEmpty || damaged.used() <= (damaged.lines() - 1) * LINE / SLOT;
        repairs.add(new ImageFiles.Repair((isLoss
                ? "Records of a run are damaged, and it was ended before them: line="
                : "State of a run was damaged, and was set: line=") + damaged.line() + ", used=" + damaged.used()
                + ", found=" + slots, isLoss));
    }

    private void cancel(Unreadable unreadable) throws IOException {
        if (unreadable.lines() > LARGEST_UNFINISHED) {
            reportCancelled();
            mended("Lines in a hole of the catalog are empty, and stay so: lines=" + unreadable.line() + ".."
                    + (unreadable.line() + unreadable.lines() - 1));
            return;
        }
        if (lastCancelled != unreadable.line() - 1 || isFinished != unreadable.isFinished()) {
            reportCancelled();
            firstCancelled = unreadable.line();
            isFinished = unreadable.isFinished();
        }
        int limit = unreadable.line() + unreadable.lines();
        lastCancelled = limit - 1;
        for (int line = unreadable.line(); line < limit;) {
            // A damaged line may seem to be the first line of a long text. Other entries may refer to texts in its
            // range.
            Text text = unreadable.lines() == 1 ? null : catalog.text(line);
            int lines = text == null
                    ? 1
                    : (int) (CatalogFormat.textByteSize(text.text().getBytes(UTF_8).length) / LINE);
            if (text == null || lines > limit - line) {
                lines = 1;
                patch.cancel(line);
            }
            line += lines;
        }
    }

    private void reportCancelled() {
        if (lastCancelled > 0) {
            repairs.add(new ImageFiles.Repair((isFinished
                    ? "Records are damaged, and were replaced by cancelled ones: lines="
                    : "Records were not finished, and were cancelled: lines=") + firstCancelled
                    + (firstCancelled < lastCancelled ? ".." + lastCancelled : ""), isFinished));
            lastCancelled = 0;
        }
    }

    /// Ends the allocations in missing data files, and the allocations whose names later allocations have.
    ///
    /// @param file the file of the copy
    void endAllocations(Path file, Set<Integer> missing) throws IOException {
        try (CatalogReader copied = CatalogReader.openEntries(file)) {
            DuplicateNames names = new DuplicateNames(end);
            CatalogScan scan = CatalogScan.of(copied);
            long runEnd = 0;
            for (CatalogEntry entry = scan.next(); entry != null; entry = scan.next()) {
                progress.run();
                if (entry instanceof Run) {
                    runEnd = scan.position();
                } else if (entry instanceof Allocated allocated && allocated.isLive()) {
                    if (allocated.parts().stream().anyMatch(part -> missing.contains(part.file()))) {
                        patch.end(allocated.number() * SLOT, runEnd);
                    } else if (allocated.name().line() != 0) {
                        names.add(allocated.name().checksum());
                    }
                }
            }
            for (DuplicateNames.Duplicate duplicate : names.find(copied)) {
                Allocated earlier = duplicate.earlier();
                patch.end(earlier.number() * SLOT, 0);
                mended("Name is used twice, and the earlier allocation was ended: name=" + earlier.name().text()
                        + ", number=" + earlier.number());
            }
        }
    }

    /// Adds a record of each data file without a record, and of this process if no owner is recorded.
    ///
    /// @param unrecorded the sizes of the files
    void addRecords(Map<Integer, Long> unrecorded) throws IOException {
        for (Map.Entry<Integer, Long> file : unrecorded.entrySet()) {
            patch.addFile(nextLine(), file.getKey(), file.getValue());
            mended("Data file was not recorded, and was added: number=" + file.getKey() + ", byteSize="
                    + file.getValue());
        }
        if (!hasOwner) {
            patch.addOwner(nextLine());
            mended("No owner was recorded, and this process was added: pid=" + ProcessHandle.current().pid());
        }
    }

    private int nextLine() {
        int line = (int) (end / LINE);
        end += LINE;
        return line;
    }

    /// The header and the counters. A value of a damaged header is used only if the entries do not determine it.
    MemorySegment header(NavigableMap<Integer, RepairedFile> files) throws IOException {
        MemorySegment header = catalog.header(end, files.isEmpty() ? 0 : files.lastKey() + 1);
        if (!catalog.isHeaderSound()) {
            long chunkByteSize = files.values()
                    .stream()
                    .filter(RepairedFile::isShared)
                    .mapToLong(RepairedFile::byteSize)
                    .findFirst()
                    .orElse(0);
            CatalogPatch.fillHeader(header, hasTimes ? CatalogLevel.FULL : CatalogLevel.SIZES, chunkByteSize);
            mended("Header was damaged, and was written anew: chunkByteSize=" + chunkByteSize + ", level="
                    + (hasTimes ? CatalogLevel.FULL : CatalogLevel.SIZES));
        }
        return header;
    }

    private void mended(String description) {
        repairs.add(new ImageFiles.Repair(description, false));
    }

    private RepairedFile file(int file) {
        return files.computeIfAbsent(file, _ -> new RepairedFile());
    }

    /// The information that the entries of a damaged catalog contain about a data file.
    static final class RepairedFile {
        private boolean isRecorded;
        private boolean hasRun;
        private int structure = CatalogFormat.NO_FILE;
        private int allocations;
        private long byteSize;
        private long end;

        /// Adds the record of the file.
        void record(long recordedByteSize) {
            isRecorded = true;
            byteSize = Math.max(byteSize, recordedByteSize);
        }

        void add(CatalogEntry.Run run) {
            hasRun = true;
            byteSize = Math.max(byteSize, run.end());
        }

        /// Adds an allocation, or a part of one.
        void add(AllocationPart part) {
            allocations++;
            end = Math.max(end, part.byteOffset() + part.byteSize());
            byteSize = Math.max(byteSize, end);
        }

        boolean isRecorded() {
            return isRecorded;
        }

        /// The first file of the structure that the file contains, or -1.
        int structure() {
            return structure;
        }

        /// Whether the file is a chunk.
        boolean isShared() {
            return hasRun || allocations > 1;
        }

        int allocations() {
            return allocations;
        }

        /// The least size of the file.
        long byteSize() {
            return byteSize;
        }

        /// The end of its last allocation.
        long end() {
            return end;
        }
    }
}
