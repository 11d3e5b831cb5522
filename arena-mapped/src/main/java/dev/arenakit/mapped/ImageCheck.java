package dev.arenakit.mapped;

import dev.arenakit.layout.text.LayoutParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Finds the problems of an image in one pass over its catalog.
final class ImageCheck extends Spliterators.AbstractSpliterator<ImageProblem> {
    private static final long MISSING = -1;

    private final ArenaImage image;
    private final CatalogReader catalog;
    private final CatalogScan scan;
    private final boolean ownerIsAlive;
    private final Queue<ImageProblem> found = new ArrayDeque<>();
    private boolean isAtEnd;

    /// Consecutive lines that cannot be read, which are reported as one problem.
    private int firstUnreadable;
    private int lastUnreadable;
    private boolean isFinished;

    private long index;
    private boolean hasOwner;
    /// The names of live allocations, by the lines of their texts.
    private final BitSet namesInUse = new BitSet();
    private final BitSet files = new BitSet();
    private final Map<Integer, OccupiedRanges> occupied = new HashMap<>();

    /// The file whose size was read last: consecutive allocations are in the same file.
    private int sizedFile = CatalogFormat.NO_FILE;
    private long fileByteSize;

    ImageCheck(ArenaImage image, CatalogReader catalog) throws IOException {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.image = image;
        this.catalog = catalog;
        ownerIsAlive = image.ownerIsAlive();
        scan = new CatalogScan(catalog);
        checkHeader();
    }

    Stream<ImageProblem> stream() {
        return StreamSupport.stream(this, false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super ImageProblem> action) {
        try {
            while (found.isEmpty() && !isAtEnd) {
                check(scan.next());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ImageProblem problem = found.poll();
        if (problem == null) {
            return false;
        }
        action.accept(problem);
        return true;
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
        } else if (!ownerIsAlive && !catalog.isZeroAfter(scan.end())) {
            report("High-water mark of the catalog is damaged: file=" + catalog.file() + ", highWater="
                    + catalog.highWater() + "; there are records after it");
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
            case CatalogEntry.Text _,CatalogEntry.Cancelled _ -> {
                // The checksum is valid. The contents of a text are checked with the entries that refer to it.
            }
            case CatalogEntry.Unreadable unreadable -> addUnreadable(unreadable);
        }
    }

    private void checkAllocation(CatalogEntry.Allocated entry) throws IOException {
        Allocation allocation = AllocationSpliterator.allocation(index++, entry);
        if (isUnknown(entry.state())) {
            report("State is damaged: state=" + entry.state(), allocation);
        }
        if (allocation.isLive() && entry.name().line() != 0) {
            if (namesInUse.get(entry.name().line())) {
                report("Name is used twice", allocation);
            }
            namesInUse.set(entry.name().line());
        }
        try {
            image.type(allocation);
        } catch (LayoutParseException e) {
            report("Type cannot be parsed: reason=" + e.getMessage(), allocation);
        }
        if (allocation.file() >= 0) {
            checkPlace(allocation);
        }
    }

    private void checkPlace(Allocation allocation) throws IOException {
        long end = allocation.byteOffset() + allocation.byteSize();
        long byteSize = byteSize(allocation.file());
        Path path = image.file(allocation.file());
        if (byteSize == MISSING) {
            report("Data file is missing: path=" + path, allocation);
        } else if (byteSize < end) {
            report(FileErrors.truncated(path, byteSize, end), allocation);
        }
        if (!occupied.computeIfAbsent(allocation.file(), _ -> new OccupiedRanges()).add(allocation.byteOffset(), end)) {
            report("Allocation overlaps another: path=" + path + ", byteOffset=" + allocation.byteOffset()
                    + ", byteSize=" + allocation.byteSize(), allocation);
        }
    }

    private void checkFile(CatalogEntry.DataFile file) throws IOException {
        files.set(file.number());
        long byteSize = byteSize(file.number());
        Path path = image.file(file.number());
        if (byteSize == MISSING) {
            report("Data file is missing: path=" + path);
        } else if (byteSize < file.byteSize()) {
            report(FileErrors.truncated(path, byteSize, file.byteSize()));
        }
    }

    private void checkOwner(CatalogEntry.Opened opened) {
        hasOwner = true;
        if (isUnknown(opened.state())) {
            report("State of an owner is damaged: pid=" + opened.pid() + ", state=" + opened.state());
        }
    }

    private void checkEnd() throws IOException {
        isAtEnd = true;
        if (!hasOwner && !ownerIsAlive) {
            report("No owner is recorded: file=" + catalog.file());
        }
        for (int number = files.nextClearBit(0); number <= files.length(); number = files.nextClearBit(number + 1)) {
            if (!ownerIsAlive && byteSize(number) != MISSING) {
                report("Data file is not recorded: path=" + image.file(number)
                        + "; another program made it, or its owner died before it was recorded");
            }
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
        lastUnreadable = unreadable.line();
    }

    private void reportUnreadable() {
        if (lastUnreadable > 0) {
            report((isFinished ? "Records are damaged" : "Records were not finished when their writer died") + ": file="
                    + catalog.file() + ", lines=" + firstUnreadable
                    + (firstUnreadable < lastUnreadable ? ".." + lastUnreadable : ""));
            lastUnreadable = 0;
        }
    }

    private static boolean isUnknown(int state) {
        return state != CatalogFormat.STATE_LIVE && state != CatalogFormat.STATE_ENDED;
    }

    private long byteSize(int file) throws IOException {
        if (sizedFile != file) {
            // A directory or a pipe is not a data file, and a file that is not accessible counts as missing.
            fileByteSize = Files.isRegularFile(image.file(file)) ? Files.size(image.file(file)) : MISSING;
            sizedFile = file;
        }
        return fileByteSize;
    }

    private void report(String description) {
        found.add(new ImageProblem(description, Optional.empty()));
    }

    private void report(String description, Allocation allocation) {
        found.add(new ImageProblem(description, Optional.of(allocation)));
    }
}
