package dev.arenakit.mapped.internal.structure;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The extents of a structure: ranges of its memory that contain tables. The header lists them.
///
/// ```text
/// extent, 16 bytes:  0  offset        int64  a multiple of 4,096
///                    8  size and use  int64  bits 0 to 7: use; the other bits: size, a multiple of 4,096
/// ```
///
/// An extent is unused if its use is 0, and the next extents are unused, too. The uses of the others are free and
/// table. The offset is stored before size and use. Extents do not overlap.
public final class Extents {
    static final long FREE = 1;
    public static final long TABLE = 2;

    /// The number of extents that the header has room for. Tables double, so that far fewer fill the address space.
    static final int MOST = (int) ((StructureFormat.BYTE_SIZE - StructureFormat.EXTENTS) / 16);

    private static final long UNIT = 4096;
    private static final long USE_BITS = 0xFF;

    private final OwnedMemory memory;

    public Extents(OwnedMemory memory) {
        this.memory = memory;
    }

    /// Allocates a zeroed extent. A free extent is used again if it is large enough, and not twice as large.
    ///
    /// @return its offset
    /// @throws CapacityExceededException if the memory cannot grow so far, or there are too many extents
    public long allocate(long byteSize, long use) {
        long size = Sizes.alignUp(byteSize, UNIT);
        int best = -1;
        int count = count();
        MemorySegment header = memory.segment();
        for (int i = 0; i < count; i++) {
            if (use(header, i) == FREE && size(header, i) >= size && size(header, i) < 2 * size
                    && (best < 0 || size(header, i) < size(header, best))) {
                best = i;
            }
        }
        return best < 0 ? append(count, size, use) : reuse(best, use);
    }

    private long reuse(int extent, long use) {
        MemorySegment segment = memory.segment();
        long offset = offset(segment, extent);
        long size = size(segment, extent);
        memory.clear(offset, size);
        setUse(segment, extent, size, use);
        return offset;
    }

    private long append(int extent, long size, long use) {
        if (extent == MOST) {
            throw new CapacityExceededException("Structure has no room for another extent: name=" + memory.name(),
                    MOST, extent, 1, "copy its entries to a new structure");
        }
        long offset = end();
        MemorySegment segment = memory.grow(Math.addExact(offset, size));
        set(segment, extent, offset, size, use);
        return offset;
    }

    /// Makes an extent free, and gives its space back. Nothing refers to it, also on the device.
    public void release(long offset) {
        MemorySegment segment = memory.segment();
        for (int i = 0; i < count(); i++) {
            if (offset(segment, i) == offset) {
                long size = size(segment, i);
                setUse(segment, i, size, FREE);
                memory.punch(offset, size);
                return;
            }
        }
    }

    /// Frees extents of a use that a killed process, or an Error, has left.
    public void releaseUnless(long use, LongPredicate isReferredTo) {
        MemorySegment segment = memory.segment();
        for (int i = 0; i < count(); i++) {
            if (use(segment, i) == use && !isReferredTo.test(offset(segment, i))) {
                setUse(segment, i, size(segment, i), FREE);
            }
        }
    }

    /// Replaces the list by a free range, and a table behind it. The structure is being repaired.
    public static void replace(MemorySegment segment, long free, long table, long tableByteSize) {
        segment.asSlice(StructureFormat.EXTENTS, MOST * 16L).fill((byte) 0);
        set(segment, 0, free, table - free, FREE);
        set(segment, 1, table, tableByteSize, TABLE);
    }

    /// Sets an extent of a list that is being replaced.
    private static void set(MemorySegment segment, int extent, long offset, long size, long use) {
        segment.set(LONG, at(extent), offset);
        setUse(segment, extent, size, use);
    }

    /// Checks the list of extents.
    ///
    /// @param table         the offset of the present table
    /// @param tableByteSize its size
    /// @throws IllegalStateException if extents overlap, or are beyond the memory, or if none of them was allocated for
    ///                               the table
    public void check(long table, long tableByteSize) {
        MemorySegment segment = memory.segment();
        String problem = problem(segment, segment.byteSize());
        if (problem != null) {
            throw memory.damaged(problem);
        }
        if (!isTable(segment, table, tableByteSize)) {
            throw memory.damaged("no extent has the table: table=" + table + ", byteSize=" + tableByteSize);
        }
    }

    /// Whether an extent was allocated for a table. [#allocate] chooses none that is twice as large.
    private static boolean isTable(MemorySegment header, long table, long byteSize) {
        for (int i = 0; i < count(header); i++) {
            if (use(header, i) == TABLE && offset(header, i) == table && size(header, i) >= byteSize
                    && size(header, i) < 2 * byteSize) {
                return true;
            }
        }
        return false;
    }

    /// Checks that the root of a structure refers to its table, before the structure is repaired.
    ///
    /// @throws IllegalStateException as in [#check]
    public void checkRoot(long table, long tableByteSize) {
        try {
            check(table, tableByteSize);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    e.getMessage() + "; the root, or the list of extents, is damaged, and nothing"
                            + " was changed: copy the image from a backup",
                    e);
        }
    }

    /// The first problem of the list of extents, as the values of a message, or null.
    ///
    /// @param byteSize the size of the memory
    public static @Nullable String problem(MemorySegment header, long byteSize) {
        int count = count(header);
        for (int i = count; i < MOST; i++) {
            if (use(header, i) != 0) {
                return "extent behind an unused one: extent=" + i + ", unused=" + count;
            }
        }
        for (int i = 0; i < count; i++) {
            long offset = offset(header, i);
            long size = size(header, i);
            if (offset < StructureFormat.BYTE_SIZE || offset % UNIT != 0 || size <= 0 || size % UNIT != 0
                    || offset > byteSize - size) {
                return "extent=" + i + ", offset=" + offset + ", size=" + size + ", byteSize=" + byteSize;
            }
            for (int j = 0; j < i; j++) {
                if (offset < offset(header, j) + size(header, j) && offset(header, j) < offset + size) {
                    return "extents overlap: extents=" + j + ", " + i;
                }
            }
        }
        return null;
    }

    /// Whether an extent of a use contains a range.
    public static boolean contains(MemorySegment header, long use, long byteOffset, long byteSize) {
        for (int i = 0; i < count(header); i++) {
            if (use(header, i) == use && offset(header, i) <= byteOffset
                    && byteOffset + byteSize <= offset(header, i) + size(header, i)) {
                return true;
            }
        }
        return false;
    }

    /// The number of extents.
    private int count() {
        return count(memory.segment());
    }

    private static int count(MemorySegment header) {
        int count = 0;
        while (count < MOST && use(header, count) != 0) {
            count++;
        }
        return count;
    }

    /// The end of the last extent.
    private long end() {
        MemorySegment segment = memory.segment();
        long end = StructureFormat.BYTE_SIZE;
        for (int i = 0; i < count(); i++) {
            end = Math.max(end, offset(segment, i) + size(segment, i));
        }
        return end;
    }

    private static long offset(MemorySegment segment, int extent) {
        return segment.get(LONG, at(extent));
    }

    private static long size(MemorySegment segment, int extent) {
        return segment.get(LONG, at(extent) + 8) >>> 8;
    }

    private static long use(MemorySegment segment, int extent) {
        return segment.get(LONG, at(extent) + 8) & USE_BITS;
    }

    private static void setUse(MemorySegment segment, int extent, long size, long use) {
        LONG_HANDLE.setRelease(segment, at(extent) + 8, (size << 8) | use);
    }

    private static long at(int extent) {
        return StructureFormat.EXTENTS + extent * 16L;
    }
}
