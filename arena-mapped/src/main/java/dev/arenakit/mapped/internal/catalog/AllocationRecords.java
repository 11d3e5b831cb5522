package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.INT_HANDLE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LINE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.LONG_HANDLE;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SHORT;
import static dev.arenakit.mapped.internal.catalog.CatalogFormat.SLOT;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The records of allocations in the catalog of an open arena: finds them by their ranges, and changes their states and
/// sizes. Thread-safe.
public final class AllocationRecords {
    /* The index has one entry for each record of 64 bytes: an allocation, or a run of up to 504 allocations. It is made
     * by the first search, and each search adds the records that were written since. The used parts of runs do not
     * overlap: the record of an allocation is the one that starts last at or before it. */

    private final CatalogFile catalog;
    private final Map<Integer, TreeMap<Long, Integer>> files = new HashMap<>();

    /// The lines that were reserved but not yet written when they were read.
    private List<Long> unfinished = new ArrayList<>();
    private long scanned = CatalogFormat.FIRST_ENTRY;

    public AllocationRecords(CatalogFile catalog) {
        this.catalog = catalog;
    }

    /// A record.
    ///
    /// @param at              the offset of its line or slot in the catalog
    /// @param isSlot          whether it is a slot
    /// @param isWhole         whether the allocation consists of whole data files
    /// @param partByteSize    the size of each of its files except for the last one, or 0 if there is one file
    /// @param largestByteSize the size up to which it may grow, which its files have addresses for, or 0
    public record Found(long at, boolean isSlot, boolean isWhole, long partByteSize, long largestByteSize) {}

    /// The record of exactly this range, or null if there is none.
    public synchronized @Nullable Found find(int file, long byteOffset, long byteSize) {
        // Read the end before the mapping, so that the mapping covers it.
        long end = catalog.end();
        MemorySegment map = catalog.map();
        List<Long> again = unfinished;
        unfinished = new ArrayList<>();
        again.forEach(at -> add(map, at, end));
        while (scanned < end) {
            scanned += add(map, scanned, end);
        }
        TreeMap<Long, Integer> lines = files.get(file);
        Map.Entry<Long, Integer> floor = lines == null ? null : lines.floorEntry(byteOffset);
        if (floor == null) {
            return null;
        }
        long at = floor.getValue() * LINE;
        if (map.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_RUN) {
            return slot(map, at, byteOffset, byteSize);
        }
        return floor.getKey() == byteOffset && byteSize > 0 && byteSize(map, at) == byteSize
                ? found(map, at, false)
                : null;
    }

    private static Found found(MemorySegment map, long at, boolean isSlot) {
        boolean isWhole = !isSlot && isWhole(map, at);
        byte partSize = isWhole ? map.get(JAVA_BYTE, at + CatalogFormat.PART_SIZE) : 0;
        return partSize == 0
                ? new Found(at, isSlot, isWhole, 0, 0)
                : new Found(at, isSlot, isWhole, 1L << partSize, map.get(LONG, at + CatalogFormat.LARGEST_SIZE));
    }

    /// The record at a known place.
    public Found found(long at, boolean isSlot) {
        return found(catalog.map(), at, isSlot);
    }

    /// The present size of an allocation that is not in a run. It may have grown since its record was read.
    private static long byteSize(MemorySegment map, long at) {
        return isWhole(map, at)
                ? CatalogFormat.checkedValue(map, at, at / LINE, CatalogFormat.WHOLE_SIZE)
                : map.get(LONG, at + CatalogFormat.SIZE);
    }

    private static boolean isWhole(MemorySegment map, long at) {
        return CatalogFormat.isWhole(map.get(JAVA_BYTE, at + CatalogFormat.KIND));
    }

    private static @Nullable Found slot(MemorySegment map, long at, long byteOffset, long byteSize) {
        long baseAddress = map.get(INT, at + CatalogFormat.BASE_ADDRESS);
        long limit = at + map.get(SHORT, at + CatalogFormat.LINES) * LINE;
        long end = map.get(LONG, at + CatalogFormat.OFFSET);
        for (long slotAt = at + LINE; slotAt < limit && end <= byteOffset; slotAt += SLOT) {
            long slot = (long) LONG_HANDLE.getVolatile(map, slotAt);
            long start = Sizes.alignUp(baseAddress + end, CatalogFormat.slotByteAlignment(slot)) - baseAddress;
            if (slot == 0 || !CatalogFormat.isSlot(slot, slotAt, start)) {
                return null;
            }
            if (start == byteOffset) {
                return CatalogFormat.slotByteSize(slot) == byteSize ? found(map, slotAt, true) : null;
            }
            end = start + CatalogFormat.slotByteSize(slot);
        }
        return null;
    }

    /// Adds an entry.
    ///
    /// @return its size in the catalog
    private long add(MemorySegment map, long at, long end) {
        int sequence = (int) INT_HANDLE.getAcquire(map, at);
        byte kind = map.get(JAVA_BYTE, at + CatalogFormat.KIND);
        if (sequence == 0) {
            unfinished.add(at);
        } else if (sequence == at / LINE
                && (kind == CatalogFormat.KIND_ALLOCATION || CatalogFormat.isWhole(kind)
                        || kind == CatalogFormat.KIND_RUN)
                && isSound(map, at, end)) {
            long byteOffset = isWhole(map, at) ? 0 : map.get(LONG, at + CatalogFormat.OFFSET);
            files.computeIfAbsent(map.get(INT, at + CatalogFormat.FILE), _ -> new TreeMap<>())
                    .merge(byteOffset, sequence, Math::max);
        }
        long byteSize = switch (kind) {
            case CatalogFormat.KIND_TEXT ->
                CatalogFormat.textByteSize(Math.clamp(map.get(INT, at + CatalogFormat.TEXT_SIZE), 0,
                        CatalogFormat.LARGEST_TEXT));
            case CatalogFormat.KIND_RUN -> Math.max(map.get(SHORT, at + CatalogFormat.LINES) * LINE, LINE);
            default -> LINE;
        };
        return byteSize <= end - at ? byteSize : LINE;
    }

    private static boolean isSound(MemorySegment map, long at, long end) {
        boolean isRun = map.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_RUN;
        long name = isRun ? 0 : textChecksum(map, map.get(INT, at + CatalogFormat.NAME), end);
        long type = isRun ? 0 : textChecksum(map, map.get(INT, at + CatalogFormat.TYPE), end);
        return map.get(LONG, at + CatalogFormat.CHECKSUM) == CatalogFormat.checksum(map, at, at / LINE, name, type);
    }

    private static long textChecksum(MemorySegment map, int line, long end) {
        return line <= 0 || line >= end / LINE ? 0 : map.get(LONG, line * LINE + CatalogFormat.TEXT_CHECKSUM);
    }

    /// Marks a live allocation as ended: its memory keeps its contents.
    ///
    /// @param at     the offset of its line or slot
    /// @param isSlot whether it is recorded in a run
    /// @return false if it had ended before; of several threads, one succeeds
    public boolean end(long at, boolean isSlot) {
        return end(at, isSlot, CatalogFormat.STATE_ENDED);
    }

    /// Marks a live allocation as freed: its memory may become zero after the next [CatalogFile#forceOwn()].
    ///
    /// Otherwise, this method behaves as [#end] does.
    public boolean free(long at, boolean isSlot) {
        return end(at, isSlot, CatalogFormat.STATE_FREED);
    }

    /// Records that the memory of a freed allocation is zero, or that its data files were removed.
    public void endFreed(long at, boolean isSlot) {
        MemorySegment to = catalog.map();
        if (isSlot) {
            long slot = (long) LONG_HANDLE.getVolatile(to, at);
            LONG_HANDLE.setRelease(to, at, CatalogFormat.slotWithState(slot, CatalogFormat.STATE_ENDED));
        } else {
            INT_HANDLE.setRelease(to, at + CatalogFormat.STATE, CatalogFormat.STATE_ENDED);
        }
    }

    private boolean end(long at, boolean isSlot, int newState) {
        catalog.checkOwner();
        MemorySegment to = catalog.map();
        while (true) {
            if (isSlot) {
                long slot = (long) LONG_HANDLE.getVolatile(to, at);
                if (CatalogFormat.slotState(slot) != CatalogFormat.STATE_LIVE) {
                    return false;
                }
                if (LONG_HANDLE.compareAndSet(to, at, slot, CatalogFormat.slotWithState(slot, newState))) {
                    return true;
                }
            } else {
                int state = (int) INT_HANDLE.getVolatile(to, at + CatalogFormat.STATE);
                if (hasEnded(state)) {
                    return false;
                }
                if (INT_HANDLE.compareAndSet(to, at + CatalogFormat.STATE, state, newState)) {
                    return true;
                }
            }
        }
    }

    private static boolean hasEnded(int state) {
        return state == CatalogFormat.STATE_ENDED || state == CatalogFormat.STATE_FREED;
    }

    /// The name of an allocation.
    ///
    /// @param at the offset of its line
    public String nameOf(long at) {
        MemorySegment from = catalog.map();
        long text = from.get(INT, at + CatalogFormat.NAME) * LINE;
        if (text == 0) {
            return "";
        }
        byte[] utf8 = new byte[from.get(INT, text + CatalogFormat.TEXT_SIZE)];
        MemorySegment.copy(from, JAVA_BYTE, text + CatalogFormat.TEXT_BYTES, utf8, 0, utf8.length);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /// Checks that an allocation that consists of whole data files may grow. The caller then grows the files.
    ///
    /// @return its recorded size
    /// @throws IllegalStateException if it was freed, its record is damaged, or another owner has taken the image over
    public long checkGrowth(int line) {
        checkLive(line, "Memory was freed, and cannot grow");
        MemorySegment from = catalog.map();
        long at = line * LINE;
        long byteSize = CatalogFormat.checkedValue(from, at, line, CatalogFormat.WHOLE_SIZE);
        if (byteSize < 0) {
            throw new IllegalStateException("Record is damaged, and its memory cannot grow: catalog=" + catalog.path()
                    + ", record=" + line + "; verify the image");
        }
        return byteSize;
    }

    /// Checks that an allocation has not been freed, and that the image belongs to this owner.
    public void checkLive(int line, String message) {
        catalog.checkOwner();
        if (!isLive(line)) {
            throw new IllegalStateException(message + ": catalog=" + catalog.path() + ", record=" + line);
        }
    }

    /// Whether an allocation has not been freed.
    public boolean isLive(int line) {
        return !hasEnded((int) INT_HANDLE.getVolatile(catalog.map(), line * LINE + CatalogFormat.STATE));
    }

    /// Records that an allocation has grown, after its files have grown. One store changes the size together with its
    /// check.
    ///
    /// @param byteSize the size that [#checkGrowth] has returned
    /// @throws IllegalStateException if another owner has taken the image over
    public void grow(int line, long byteSize, long newByteSize) {
        catalog.checkOwner();
        long at = line * LINE + CatalogFormat.WHOLE_SIZE;
        if (!LONG_HANDLE.compareAndSet(catalog.map(), at, CatalogFormat.checkedValue(at, byteSize),
                CatalogFormat.checkedValue(at, Math.max(byteSize, newByteSize)))) {
            throw catalog.overtaken();
        }
    }

    /// The number of the only data file of an allocation, or -1 if it has no file, has several, or shares its file.
    public int wholeFile(int line) {
        MemorySegment from = catalog.map();
        long at = line * LINE;
        return from.get(JAVA_BYTE, at + CatalogFormat.KIND) == CatalogFormat.KIND_WHOLE
                && from.get(JAVA_BYTE, at + CatalogFormat.PART_SIZE) == 0
                        ? from.get(INT, at + CatalogFormat.FILE)
                        : CatalogFormat.NO_FILE;
    }
}
