package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.internal.catalog.CatalogFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The header that each structure begins with, version 2. Numbers are little-endian. The catalog records the memory of
/// a structure as memory that grows, with a type that [StructureKind] names.
///
/// ```text
/// constant, written once                          state, which changes
///    0  magic            int64                      64  state   int64  1 open, 2 closed, 3 completed
///    8  kind             int32  StructureKind       72  boot    int64  BootId of the last process that opened it
///   12  version          int32                      80  changes int64  odd while a change runs
///   16  seed             int64  of the hashes      128  the fields of the kind
///   24  key size         int32  bytes, or 0       4096  the contents
///   28  value size       int32  bytes
///   32  zero
///   56  checksum         int64  of bytes 0 to 55
/// ```
///
/// **States.** A structure is *open* from the first change after it was opened until its arena is closed. Before it
/// becomes open, its header is written to the device. Before it becomes closed, its contents are written to the device,
/// and then its header. Therefore a closed structure is complete, whatever has happened since. An open structure
/// whose boot is the present boot is complete, too: its process was killed, and the memory of files outlives a process.
/// Every store of a change leaves the structure with or without the change, so only what is counted or linked for speed
/// must be computed again. If the boot is another one, the machine has failed, or the image was moved to another machine,
/// and any page may be older than another. A *completed* structure was open when its process was killed. In the same boot, the
/// next owner or a copy has written all of it to the device, so that it is complete in any boot, except for what must be
/// computed again.
///
/// **Changes** are counted by two: once before the first store of a change, and once after the last one. A copy of a
/// structure that its owner may change meanwhile is whole if the number was the same before and after it, and even.
///
/// A header whose magic is 0 is unfinished: its creator was killed, and the structure is created again.
public final class StructureFormat {
    public static final long MAGIC = 0x0a0d_5443_5254_5389L;
    public static final int VERSION = 2;

    public static final long KIND = 8;
    public static final long FORMAT_VERSION = 12;
    public static final long SEED = 16;
    public static final long KEY_SIZE = 24;
    public static final long VALUE_SIZE = 28;
    public static final long CHECKSUM = 56;
    public static final long STATE = 64;
    public static final long BOOT = 72;
    public static final long CHANGES = 80;
    /// The offset of the fields of the kind.
    public static final long KIND_FIELDS = 128;
    /// The size of the header.
    public static final long BYTE_SIZE = 4096;

    public static final long OPEN = 1;
    public static final long CLOSED = 2;
    public static final long COMPLETED = 3;

    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    /// A long whose alignment is not checked, because a search has fewer instructions then.
    public static final ValueLayout.OfLong WORD = LONG.withByteAlignment(1);
    /// Accesses a long at an offset: `(MemorySegment, long)`.
    public static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    /// The remedy for a structure that may be incomplete.
    public static final String REPAIR = "call InfiniteArena.structures().repair(name), or arena repair for a copy, which keep"
            + " what is intact";

    private StructureFormat() {}

    /// Writes the constant part of a header into zeroed memory. The magic is stored last.
    public static void write(MemorySegment memory, StructureKind kind, long seed, long keyByteSize,
            long valueByteSize) {
        memory.set(INT, KIND, kind.code());
        memory.set(INT, FORMAT_VERSION, VERSION);
        memory.set(LONG, SEED, seed);
        memory.set(INT, KEY_SIZE, Math.toIntExact(keyByteSize));
        memory.set(INT, VALUE_SIZE, Math.toIntExact(valueByteSize));
        memory.set(LONG, CHECKSUM, checksum(memory));
        LONG_HANDLE.setRelease(memory, 0L, MAGIC);
    }

    /// Whether the header was written. Otherwise its creator was killed.
    public static boolean isWritten(MemorySegment memory) {
        return memory.byteSize() >= BYTE_SIZE && (long) LONG_HANDLE.getAcquire(memory, 0L) != 0;
    }

    /// Whether memory begins with the constant part of a header.
    public static boolean isIntact(MemorySegment memory) {
        return memory.get(LONG, 0) == MAGIC && memory.get(LONG, CHECKSUM) == checksum(memory);
    }

    /// Checks the constant part of a header.
    ///
    /// @throws IllegalStateException if it is damaged, or has another kind or version
    public static void check(MemorySegment memory, String name, StructureKind kind) {
        if (!isIntact(memory)) {
            throw new IllegalStateException("Header of a structure is damaged: name=" + name);
        }
        int version = memory.get(INT, FORMAT_VERSION);
        if (version != VERSION) {
            throw new IllegalStateException("Structure has another version: name=" + name + ", version=" + version
                    + ", supported=" + VERSION + "; open it with the release that has written it, or a later one");
        }
        int code = memory.get(INT, KIND);
        if (code != kind.code()) {
            throw new IllegalStateException("Structure has another kind: name=" + name + ", kind=" + code
                    + ", expected=" + kind.code() + " (" + kind.typeName() + ")");
        }
    }

    /// The state in which a structure was left. A process that owns it may be changing it.
    ///
    /// @param boot the present boot of the machine
    public static StructureState state(MemorySegment memory, long boot) {
        if (!isWritten(memory)) {
            return StructureState.UNFINISHED;
        }
        return isLost(memory, boot)
                ? StructureState.LOST
                : memory.get(LONG, STATE) == CLOSED ? StructureState.CLOSED : StructureState.KILLED;
    }

    /// Whether the machine failed while the structure was open, or its image was moved then. Pages of different times
    /// may be mixed.
    ///
    /// @param boot the present boot of the machine
    public static boolean isLost(MemorySegment memory, long boot) {
        // A reader that trusts the structure sees what its owner has stored before the state and the boot.
        long state = (long) LONG_HANDLE.getAcquire(memory, STATE);
        return state != CLOSED && state != COMPLETED
                && !BootId.isSame((long) LONG_HANDLE.getAcquire(memory, BOOT), boot);
    }

    /// Whether the machine failed before this boot while the structure was open.
    public static boolean isLost(MemorySegment memory) {
        return isLost(memory, BootId.current());
    }

    /// Counts that a change begins. All its stores follow.
    public static void beginChange(MemorySegment memory) {
        LONG_HANDLE.setOpaque(memory, CHANGES, memory.get(LONG, CHANGES) | 1);
        VarHandle.storeStoreFence();
    }

    /// Whether a change is running, or was interrupted.
    public static boolean isChanging(MemorySegment memory) {
        return (memory.get(LONG, CHANGES) & 1) != 0;
    }

    /// Counts that a change has ended, or that an interrupted change was recovered.
    public static void endChange(MemorySegment memory) {
        LONG_HANDLE.setRelease(memory, CHANGES, (memory.get(LONG, CHANGES) | 1) + 1);
    }

    /// Returns what changes a structure.
    ///
    /// @throws UnsupportedOperationException if the structure is read-only
    public static <S> S changing(@Nullable S structure) {
        if (structure == null) {
            throw new UnsupportedOperationException(
                    "Structure is read-only; open it by InfiniteArena.structures(), in the process that owns the image");
        }
        return structure;
    }

    /// The exception for a structure that a failure of the machine may have left incomplete.
    public static IllegalStateException lost(String name) {
        return new IllegalStateException("Structure was open when the machine failed, or the image was moved without"
                + " arena copy, and may be incomplete: name="
                + name + "; " + REPAIR);
    }

    /// The exception for contents that no structure has.
    public static IllegalStateException damaged(String name, String what) {
        return new IllegalStateException("Structure is damaged: name=" + name + ", " + what);
    }

    private static long checksum(MemorySegment memory) {
        long checksum = MAGIC;
        for (long at = Long.BYTES; at < CHECKSUM; at += Long.BYTES) {
            checksum = mix(checksum, memory.get(LONG, at));
        }
        return checksum;
    }

    /// The mixing function of checksums, which [CatalogFormat] describes.
    public static long mix(long hash, long word) {
        return CatalogFormat.mix(hash, word);
    }
}
