package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.ImageTakenOverException;
import dev.arenakit.mapped.internal.catalog.CatalogEntry.Text;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG_HANDLE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The numbers of elements in the growing allocations of an open arena. Each is in the line before its allocation.
/// Thread-safe.
public final class ElementCounts {
    /* A count of another boot may include elements that were lost when the machine failed. It stays recorded until its
     * owner accepts it, or stores another count. Before that, it is replaced by the forced count, and then the boot is
     * replaced, so that it is never trusted. */

    private final CatalogWriter catalog;
    private final CatalogFile file;
    private final long boot;
    /// The lines of the allocations whose counts may change.
    private final Set<Integer> lines = ConcurrentHashMap.newKeySet();

    /// @param boot the boot of the machine, or [BootId#UNKNOWN]
    public ElementCounts(CatalogWriter catalog, long boot) {
        this.catalog = catalog;
        file = catalog.file();
        this.boot = boot;
    }

    /// Reserves the lines of a growing allocation and its count.
    ///
    /// @return the line of the allocation
    public int reserve() {
        return catalog.reserveGrowable();
    }

    /// Cancels the lines that [#reserve] has returned.
    public void cancel(int line) {
        catalog.cancel(line);
        catalog.cancel(line - 1);
    }

    /// Records an allocation whose files are empty, and which has no count yet.
    ///
    /// @param line        the line that [#reserve] has returned
    /// @param dataFile    the number of the first data file
    /// @param maxByteSize the size up to which it may grow
    public void add(int line, int dataFile, long maxByteSize, long partByteSize, long byteAlignment, Text name,
            Text type) {
        MemorySegment to = file.map();
        long at = (line - 1) * LINE;
        set(to, at + CatalogFormat.COUNT, CatalogFormat.NOT_COUNTED);
        set(to, at + CatalogFormat.FORCED_COUNT, CatalogFormat.NOT_COUNTED);
        write(to, line - 1);
        catalog.addGrowable(line, dataFile, maxByteSize, partByteSize, byteAlignment, name, type);
        lines.add(line);
    }

    private void write(MemorySegment to, int line) {
        to.set(LONG, line * LINE + CatalogFormat.BOOT, boot);
        to.set(JAVA_BYTE, line * LINE + CatalogFormat.KIND, CatalogFormat.KIND_COUNT);
        CatalogFormat.finish(to, line, 0, 0, CatalogFormat.STATE_LIVE);
    }

    /// The number of elements of an allocation of a previous owner that were written to the device, if the machine has
    /// been started since they were counted; otherwise, or if it is damaged or was never stored, -1.
    public long forcedInEarlierBoot(int line) {
        MemorySegment map = file.map();
        if (lines.contains(line) || !isSound(map, line - 1) || isOfThisBoot(map, (line - 1) * LINE)) {
            return -1;
        }
        long forced = value(map, line, CatalogFormat.FORCED_COUNT);
        return forced == CatalogFormat.NOT_COUNTED ? -1 : forced;
    }

    /// @param line the line of the allocation
    private static long value(MemorySegment map, int line, long field) {
        return CatalogFormat.checkedValue(map, (line - 1) * LINE, line - 1, field);
    }

    private static boolean isSound(MemorySegment map, int line) {
        long at = line * LINE;
        return map.get(INT, at) == line && map.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_COUNT
                && map.get(LONG, at + CatalogFormat.CHECKSUM) == CatalogFormat.checksum(map, at, line, 0, 0);
    }

    private boolean isOfThisBoot(MemorySegment map, long at) {
        return BootId.isSame(map.get(LONG, at + CatalogFormat.BOOT), boot);
    }

    /// Adds the count of an allocation of a previous owner, which this owner need not open. If that owner has stored it
    /// in this boot, its elements are in the files, and can be forced.
    ///
    /// @param line the line of the allocation
    public void addPrevious(int line) {
        MemorySegment map = file.map();
        if (isSound(map, line - 1) && isOfThisBoot(map, (line - 1) * LINE)) {
            lines.add(line);
        }
    }

    /// Prepares the count of an allocation of a previous owner. A damaged entry is written anew, without counts.
    ///
    /// @param line the line of the allocation
    /// @return the number of elements that was stored last, if some of them do not count before [#accept], or -1
    public long open(int line) {
        if (lines.contains(line)) {
            return -1;
        }
        MemorySegment map = file.map();
        long at = (line - 1) * LINE;
        if (!isSound(map, line - 1)) {
            // The count stays damaged until its owner stores it.
            map.asSlice(at, LINE).fill((byte) 0);
            set(map, at + CatalogFormat.FORCED_COUNT, CatalogFormat.NOT_COUNTED);
            write(map, line - 1);
        } else if (!isOfThisBoot(map, at)) {
            long stored = value(map, line, CatalogFormat.COUNT);
            long forced = forced(line);
            if (forced >= 0 && stored > forced && stored != CatalogFormat.NOT_COUNTED) {
                return stored;
            }
            discard(line);
        }
        lines.add(line);
        return -1;
    }

    /// The number of elements that were forced: 0 if there are none, or -1 if it is damaged.
    public long forced(int line) {
        long forced = value(file.map(), line, CatalogFormat.FORCED_COUNT);
        return forced == CatalogFormat.NOT_COUNTED ? 0 : forced;
    }

    /// Replaces the count of another boot by the forced count.
    public void discard(int line) {
        MemorySegment map = file.map();
        long at = (line - 1) * LINE;
        long forced = value(map, line, CatalogFormat.FORCED_COUNT);
        // That a number was stored is known, also if none was forced.
        boolean isZero = forced == CatalogFormat.NOT_COUNTED && isStored(line);
        LONG_HANDLE.setRelease(map, at + CatalogFormat.COUNT,
                forced < 0 ? 0 : CatalogFormat.checkedValue(at + CatalogFormat.COUNT, isZero ? 0 : forced));
        accept(line);
    }

    /// Trusts the count of another boot.
    public void accept(int line) {
        LONG_HANDLE.setRelease(file.map(), (line - 1) * LINE + CatalogFormat.BOOT, boot);
        lines.add(line);
    }

    /// Whether a count of an allocation was stored, also if it is damaged.
    public boolean isStored(int line) {
        MemorySegment map = file.map();
        return value(map, line, CatalogFormat.COUNT) != CatalogFormat.NOT_COUNTED
                || value(map, line, CatalogFormat.FORCED_COUNT) != CatalogFormat.NOT_COUNTED;
    }

    /// The count of an allocation: 0 if none was stored, or -1 if it is damaged.
    public long get(int line) {
        MemorySegment map = file.map();
        long count = value(map, line, CatalogFormat.COUNT);
        if (count >= 0 && count != CatalogFormat.NOT_COUNTED) {
            return count;
        }
        return CatalogFormat.countOrZero(count, value(map, line, CatalogFormat.FORCED_COUNT));
    }

    /// Stores the count of an allocation. The elements were stored before.
    ///
    /// @throws IllegalStateException if the allocation was freed, or another owner has taken the image over
    public void set(int line, long count) {
        catalog.records().checkLive(line, "Memory was freed, and has no count");
        set(file.map(), (line - 1) * LINE + CatalogFormat.COUNT, count);
    }

    private static void set(MemorySegment to, long at, long count) {
        LONG_HANDLE.setRelease(to, at, CatalogFormat.checkedValue(at, count));
    }

    /// The counts that have changed since they were forced, by the lines of their allocations. All elements that they
    /// count are in the data files.
    public Map<Integer, Long> unforced() {
        return unforced(file.map());
    }

    private Map<Integer, Long> unforced(MemorySegment map) {
        Map<Integer, Long> counts = new TreeMap<>();
        for (int line : lines) {
            long count = value(map, line, CatalogFormat.COUNT);
            if (count >= 0 && count != value(map, line, CatalogFormat.FORCED_COUNT)) {
                counts.put(line, count);
            }
        }
        return counts;
    }

    /// Records that the elements of allocations were written to the device.
    ///
    /// @param counts the counts that [#unforced] has returned before the data files were written
    /// @throws ImageTakenOverException if another owner has taken the image over
    public void setForced(Map<Integer, Long> counts) {
        file.checkOwner();
        setForced(file.map(), counts);
    }

    private static void setForced(MemorySegment map, Map<Integer, Long> counts) {
        counts.forEach((line, count) -> set(map, (line - 1) * LINE + CatalogFormat.FORCED_COUNT, count));
    }

    /// Records that the elements were written to the device that threads have counted while the arena was being closed.
    /// The scope of the arena has ended.
    ///
    /// @param force writes the data files to the device
    public void finish(SafeFiles.Action<?> force) throws IOException {
        if (lines.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment map = file.mapAgain(arena);
            Map<Integer, Long> counts = map.byteSize() == 0 ? Map.of() : unforced(map);
            if (!counts.isEmpty()) {
                force.run();
                setForced(map, counts);
                file.force();
            }
        }
    }
}
