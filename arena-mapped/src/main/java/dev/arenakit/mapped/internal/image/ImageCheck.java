package dev.arenakit.mapped.internal.image;

import dev.arenakit.layout.text.LayoutParseException;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.internal.catalog.AllocationSpliterator;
import dev.arenakit.mapped.internal.catalog.CatalogEntry;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import dev.arenakit.mapped.internal.catalog.CatalogReader;
import dev.arenakit.mapped.internal.catalog.CatalogScan;
import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.data.RecordedFiles;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileExtentSource;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.locks.ImageLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;

/// Finds the problems of an image in one pass over its catalog, and a second one if names may be used twice.
public final class ImageCheck extends Spliterators.AbstractSpliterator<ImageIntegrity.Problem> {
    private static final long MISSING = -1;
    /// The problem that the record with the number of elements is lost.
    private static final String UNKNOWN = "Number of elements is unknown: its record is damaged or lost; count them, and"
            + " store their number by InfiniteArena.names().growable(name, type, 1).elementCount(n)";
    private static final String UNFORCED = "the forced elements count, and the others stay until an element is appended."
            + " If the image was moved, copy the original by arena copy before its machine is restarted, or count them"
            + " by GrowableTable.acceptUnforced or GrowableSegment.elementCount";

    private final Path base;
    private final CatalogReader catalog;
    private final TypeCache types;
    private final CatalogScan scan;
    private final boolean ownerIsAlive;
    private final Queue<ImageIntegrity.Problem> found = new ArrayDeque<>();
    private boolean isAtEnd;

    /// Consecutive lines that cannot be read, which are reported as one problem.
    private int firstUnreadable;
    private int lastUnreadable;
    private boolean isFinished;

    /// The number of elements of the allocation that is recorded next, or null.
    private CatalogEntry.@Nullable Count lastCount;
    private long count;
    private long allByteSize;
    private boolean hasSeals;
    private boolean hasOwner;
    /// Whether the last owner has not closed the image.
    private boolean hasDied;
    private final DuplicateNames liveNames;
    private final BitSet files = new BitSet();
    /// The files that were planned, and the files to which allocations refer.
    private final BitSet planned = new BitSet();
    private final BitSet referred = new BitSet();
    /// The files that records call removed, the files that records call present, and the files with live allocations.
    private final BitSet removed = new BitSet();
    private final BitSet present = new BitSet();
    private final BitSet live = new BitSet();
    /// The lines of recorded files that are missing, and the missing files for which an allocation was reported.
    private final Map<Integer, Integer> missing = new TreeMap<>();
    private final BitSet reported = new BitSet();
    private final Map<Integer, OccupiedRanges> occupied = new HashMap<>();

    /// The file whose size was read last: consecutive allocations are in the same file.
    private int sizedFile = CatalogFormat.NO_FILE;
    private long fileByteSize;

    public ImageCheck(Path base, CatalogReader catalog, TypeCache types) throws IOException {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.base = base;
        this.catalog = catalog;
        this.types = types;
        ownerIsAlive = ownerIsAliveNow();
        scan = CatalogScan.of(catalog);
        liveNames = new DuplicateNames(scan.end());
        checkHeader();
    }

    public Stream<ImageIntegrity.Problem> stream() {
        return StreamSupport.stream(this, false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super ImageIntegrity.Problem> action) {
        try {
            while (found.isEmpty() && !isAtEnd) {
                check(scan.next());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ImageIntegrity.Problem problem = found.poll();
        if (problem == null) {
            return false;
        }
        action.accept(problem);
        return true;
    }

    /// The number of allocations that were checked so far, freed ones included.
    public long count() {
        return count;
    }

    /// The sum of their sizes, at most [Long#MAX_VALUE].
    public long allByteSize() {
        return allByteSize;
    }

    /// Whether a text of a seal was read.
    public boolean hasSeals() {
        return hasSeals;
    }

    private void checkHeader() throws IOException {
        if (!catalog.isHeaderIntact()) {
            report("Header of the catalog is damaged: file=" + catalog.file());
        }
        if (!catalog.isHighWaterValid()) {
            report("High-water mark of the catalog is damaged: file=" + catalog.file() + ", highWater="
                    + catalog.highWater() + "; the catalog was read up to the end of the file");
        } else if (catalog.highWater() > scan.end()) {
            report("Catalog is truncated: file=" + catalog.file() + ", byteSize=" + scan.end() + ", highWater="
                    + catalog.highWater());
        } else if (!ownerIsAlive && catalog.highWater() < scan.end()) {
            note("Records follow the high-water mark, which is older than they are: file=" + catalog.file()
                    + ", highWater=" + catalog.highWater() + ", end=" + scan.end()
                    + "; the machine failed, and the records were found");
        }
    }

    private void check(@Nullable CatalogEntry entry) throws IOException {
        if (!(entry instanceof CatalogEntry.Unreadable)) {
            reportUnreadable();
        }
        switch (entry) {
            case null -> checkEnd();
            case CatalogEntry.Allocated allocated -> checkAllocation(allocated);
            case CatalogEntry.DataFile file -> checkFile(file);
            case CatalogEntry.Opened opened -> checkOwner(opened);
            case CatalogEntry.Run run -> checkRun(run);
            case CatalogEntry.Count count -> lastCount = count;
            // The contents of a text are checked with the entries that refer to it.
            case CatalogEntry.Text text -> hasSeals |= text.isPartOfSeal();
            case CatalogEntry.Cancelled _ -> {
                // The checksum is valid.
            }
            case CatalogEntry.Unreadable unreadable -> addUnreadable(unreadable);
        }
    }

    private void checkAllocation(CatalogEntry.Allocated entry) throws IOException {
        count++;
        allByteSize = entry.byteSize() > Long.MAX_VALUE - allByteSize ? Long.MAX_VALUE : allByteSize + entry.byteSize();
        if (isUnknown(entry.state()) && !entry.isFreed()) {
            report("State is damaged: state=" + entry.state(), entry);
        }
        if (entry.isLive() && entry.name().line() != 0) {
            liveNames.add(entry.name().checksum());
        }
        checkCount(entry);
        try {
            if (!entry.type().text().isEmpty()) {
                checkElements(entry, types.get(entry.type().text()).byteSize());
            } else {
                checkElements(entry, 1);
            }
        } catch (LayoutParseException e) {
            report("Type cannot be parsed: reason=" + e.getMessage(), entry);
        }
        for (AllocationPart part : entry.partsOfAllFiles()) {
            referred.set(part.file());
            if (entry.isLive()) {
                live.set(part.file());
            }
            if (byteSize(part.file()) == MISSING && !isLiveNow(entry)) {
                // The file was removed after the allocation was freed. Otherwise, its record reports that it is missing.
                return;
            }
            checkPlace(entry, part);
        }
    }

    /// Whether an allocation is live, and has not been freed since its record was read.
    private boolean isLiveNow(CatalogEntry.Allocated entry) throws IOException {
        return entry.isLive() && (!ownerIsAlive
                || !(CatalogScan.at(catalog, entry.line()).next() instanceof CatalogEntry.Allocated now
                        && now.number() == entry.number() && !now.isLive()));
    }

    private void checkPlace(CatalogEntry.Allocated allocation, AllocationPart part) throws IOException {
        long end = part.byteOffset() + part.byteSize();
        long byteSize = byteSize(part.file());
        if (byteSize == MISSING) {
            reported.set(part.file());
            report(absent(part.file()), allocation);
        } else if (byteSize < end) {
            report(FileErrors.truncated(file(part.file()), byteSize, end), allocation);
        }
        if (part.byteSize() > 0
                && !occupied.computeIfAbsent(part.file(), _ -> new OccupiedRanges()).add(part.byteOffset(), end)) {
            report("Allocation overlaps another: path=" + file(part.file()) + ", byteOffset=" + part.byteOffset()
                    + ", byteSize=" + part.byteSize(), allocation);
        }
    }

    /// Checks the number of elements of an allocation, which a structure does not use.
    private void checkCount(CatalogEntry.Allocated entry) {
        CatalogEntry.Count count = lastCount != null && lastCount.line() == entry.line() - 1 ? lastCount : null;
        if (entry.maxByteSize() == 0 || !entry.isLive()) {
            return;
        }
        if (count == null && !types.isStructure(entry.type().text())) {
            report(UNKNOWN, entry);
        } else if (count != null && count.isDamaged()) {
            report("Number of elements is damaged: stored=" + count.count() + ", forced=" + count.forced()
                    + "; repair the image", entry);
        } else if (entry.hasUnforced()) {
            report(UnforcedElements
                    .ofMemory(entry.name().text(), entry.storedCount(), Math.max(entry.elementCount(), 0))
                    .describe(UNFORCED), entry);
        }
    }

    /// The elements must be in the allocation. Elements without a type have at least one byte.
    private void checkElements(CatalogEntry.Allocated entry, long structByteSize) {
        if (structByteSize > 0 && entry.elementCount() > entry.byteSize() / structByteSize) {
            report("Number of elements exceeds the allocation: elementCount=" + entry.elementCount() + ", byteSize="
                    + entry.byteSize() + ", structByteSize=" + structByteSize, entry);
        }
    }

    private void checkFile(CatalogEntry.DataFile file) throws IOException {
        files.set(file.number());
        if (file.isPlanned()) {
            planned.set(file.number());
            return;
        }
        if (file.isRemoved()) {
            removed.set(file.number());
            return;
        }
        present.set(file.number());
        if (isUnknown(file.state())) {
            report("State of a data file is damaged: number=" + file.number() + ", state=" + file.state());
        }
        long byteSize = byteSize(file.number());
        Path path = file(file.number());
        if (byteSize == MISSING) {
            missing.put(file.number(), file.line());
        } else if (byteSize < file.byteSize()) {
            report(FileErrors.truncated(path, byteSize, file.byteSize()));
        }
    }

    private void checkRun(CatalogEntry.Run run) {
        referred.set(run.file());
        if (run.used() > (run.lines() - 1) * LINE / SLOT) {
            report("State of a run is damaged: line=" + run.line() + ", used=" + run.used());
        }
    }

    private void checkOwner(CatalogEntry.Opened opened) {
        hasOwner = true;
        hasDied = opened.state() != CatalogFormat.STATE_ENDED;
        if (isUnknown(opened.state())) {
            report("State of an owner is damaged: pid=" + opened.pid() + ", state=" + opened.state());
        }
    }

    private void checkEnd() throws IOException {
        isAtEnd = true;
        liveNames.find(catalog).forEach(duplicate -> report("Name is used twice", duplicate.later()));
        checkFiles();
        if (!hasOwner && !ownerIsAlive) {
            report("No owner is recorded: file=" + catalog.file());
        }
        if (!ownerIsAlive) {
            reportUnrecorded();
        }
    }

    private void checkFiles() throws IOException {
        for (Map.Entry<Integer, Integer> file : missing.entrySet()) {
            int number = file.getKey();
            // The owner may have removed it since its record was read.
            if (!reported.get(number)
                    && !(CatalogScan.at(catalog, file.getValue()).next() instanceof CatalogEntry.DataFile now
                            && now.isRemoved())) {
                report(absent(number));
            }
        }
        if (ownerIsAlive) {
            return;
        }
        removed.and(live);
        removed.andNot(present);
        removed.stream()
                .forEach(number -> report(
                        "Data file is recorded as removed, and has live allocations: path=" + file(number)));
        planned.andNot(referred);
        for (int number = planned.nextSetBit(0); number >= 0; number = planned.nextSetBit(number + 1)) {
            if (byteSize(number) != MISSING && !ownerIsAliveNow()) {
                checkPlanned(file(number));
            }
        }
    }

    private void checkPlanned(Path file) throws IOException {
        if (isEmpty(file) || FileExtentSource.isZero(file)) {
            note("Data file was not used when its creator died: path=" + file + "; the next owner removes it");
        } else {
            report("Data file has data that no record describes: path=" + file
                    + "; another program made it, or its owner died before it was recorded");
        }
    }

    private void reportUnrecorded() throws IOException {
        SortedSet<Long> unrecorded = RecordedFiles.unrecorded(base, files);
        if (unrecorded.isEmpty() || ownerIsAliveNow()) {
            return;
        }
        // An owner may have recorded files since this check began.
        CatalogScan again = CatalogScan.of(catalog);
        for (CatalogEntry entry = again.next(); entry != null; entry = again.next()) {
            if (entry instanceof CatalogEntry.DataFile file) {
                unrecorded.remove((long) file.number());
            }
        }
        for (long number : unrecorded) {
            checkUnrecorded(file((int) number), referred.get((int) number));
        }
    }

    private void checkUnrecorded(Path file, boolean isUsed) throws IOException {
        if (isUsed) {
            note("Data file has lost its record when the machine failed: path=" + file
                    + "; the next owner records it again");
        } else if (hasDied && isEmpty(file)) {
            note("Data file has no record and no data: path=" + file
                    + "; the machine failed before it was used, and the next owner removes it");
        } else {
            report("Data file is not recorded: path=" + file
                    + "; another program made it, or its owner died before it was recorded");
        }
    }

    /// Whether a file has no data, or does not exist any more.
    private static boolean isEmpty(Path file) throws IOException {
        try {
            return FileExtentSource.isEmpty(file);
        } catch (NoSuchFileException _) {
            return true;
        }
    }

    private void addUnreadable(CatalogEntry.Unreadable unreadable) {
        if (!unreadable.isFinished() && ownerIsAlive) {
            return;
        }
        if (lastUnreadable != unreadable.line() - 1 || isFinished != unreadable.isFinished()) {
            reportUnreadable();
            firstUnreadable = unreadable.line();
            isFinished = unreadable.isFinished();
        }
        lastUnreadable = unreadable.line() + unreadable.lines() - 1;
    }

    private void reportUnreadable() {
        if (lastUnreadable > 0) {
            String where = ": file=" + catalog.file() + ", lines=" + firstUnreadable
                    + (firstUnreadable < lastUnreadable ? ".." + lastUnreadable : "");
            if (isFinished) {
                report("Records are damaged" + where);
            } else {
                note("Records were not finished when their writer died" + where);
            }
            lastUnreadable = 0;
        }
    }

    private static boolean isUnknown(int state) {
        return state != CatalogFormat.STATE_LIVE && state != CatalogFormat.STATE_ENDED;
    }

    private boolean ownerIsAliveNow() throws IOException {
        return ImageLock.holderOf(base) == ImageLock.Holder.PROCESS;
    }

    private Path file(int number) {
        return ImagePaths.data(base, number);
    }

    private long byteSize(int file) throws IOException {
        if (sizedFile != file) {
            // A directory or a pipe is not a data file, and a file that is not accessible counts as missing.
            fileByteSize = Files.isRegularFile(file(file)) ? Files.size(file(file)) : MISSING;
            sizedFile = file;
        }
        return fileByteSize;
    }

    private String absent(int number) {
        Path path = file(number);
        return (Files.exists(path) ? "Data file is not a regular file: path=" : "Data file is missing: path=") + path;
    }

    private void note(String description) {
        found.add(new ImageIntegrity.Problem(description, Optional.empty(), true));
    }

    private void report(String description) {
        found.add(new ImageIntegrity.Problem(description, Optional.empty(), false));
    }

    private void report(String description, CatalogEntry.Allocated entry) {
        found.add(new ImageIntegrity.Problem(description, Optional.of(AllocationSpliterator.allocation(entry)), false));
    }

    /// The ranges of a file that allocations occupy, in order to detect overlaps. The ranges are added nearly in the
    /// order of their offsets, so that it is cheaper to store the gaps between them. Only the latest gaps are stored.
    private static final class OccupiedRanges {
        private static final int GAPS = 1 << 16;

        private final TreeMap<Long, Long> gaps = new TreeMap<>();
        /// The end of the last range, exclusive.
        private long end;
        /// Gaps before this offset were discarded, and ranges there are not checked.
        private long discarded;

        /// Adds a range.
        ///
        /// @return false if it overlaps a range that was added before
        boolean add(long from, long to) {
            if (from >= end) {
                if (from > end) {
                    addGap(end, from);
                }
                end = to;
                return true;
            }
            Map.Entry<Long, Long> gap = gaps.floorEntry(from);
            if (gap == null || gap.getValue() < to) {
                return from < discarded;
            }
            gaps.remove(gap.getKey());
            addGap(gap.getKey(), from);
            addGap(to, gap.getValue());
            return true;
        }

        private void addGap(long from, long to) {
            if (from < to) {
                gaps.put(from, to);
            }
            if (gaps.size() > GAPS) {
                discarded = gaps.pollFirstEntry().getValue();
            }
        }
    }
}
