package dev.arenakit.mapped.internal.structure;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import dev.arenakit.mapped.internal.catalog.BootId;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// The memory of a structure that this process owns. It can grow, and its header records whether it is complete.
public final class OwnedMemory implements StructureMemory {
    /// A store next to a hole needs space if both are in the same 2 MiB of the file.
    private static final long HOLE_UNIT = 2L << 20;

    private final String name;
    private final GrowableMemory memory;
    private final long boot;
    private final Runnable checkOpen;

    /// @param boot      the present boot of the machine
    /// @param checkOpen throws an exception if the arena is being closed
    OwnedMemory(String name, GrowableMemory memory, long boot, Runnable checkOpen) {
        this.name = name;
        this.memory = memory;
        this.boot = boot;
        this.checkOpen = checkOpen;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MemorySegment segment() {
        return memory.segment();
    }

    /// The state in which the previous owner has left the structure. Another process does not change it.
    public StructureState state() {
        return StructureFormat.state(segment(), boot);
    }

    /// Creates the structure. A creator that was killed may have left a part of it.
    ///
    /// @param byteSize the size of header and contents, which are zero
    /// @param fields   writes the fields of the kind
    public void create(StructureKind kind, long seed, long keyByteSize, long valueByteSize, long byteSize,
            Consumer<MemorySegment> fields) {
        MemorySegment header = grow(byteSize);
        header.asSlice(0, byteSize).fill((byte) 0);
        fields.accept(header);
        header.set(LONG, StructureFormat.STATE, StructureFormat.CLOSED);
        force(0, byteSize);
        StructureFormat.write(header, kind, seed, keyByteSize, valueByteSize);
    }

    /// Makes the memory as large as a size, unless it is larger. Stores to it need no space on the disk, where the system
    /// can reserve space. The new size is on the device.
    ///
    /// @throws dev.arenakit.mapped.DiskFullException if the disk has no room; nothing has changed
    public MemorySegment grow(long byteSize) {
        if (byteSize > memory.byteSize()) {
            memory.growStored(byteSize);
            memory.forceRecord();
        }
        return memory.segment();
    }

    /// Gives the space of a range back to the file system, if that is possible. The device has nothing that refers to
    /// the range.
    public void punch(long byteOffset, long byteSize) {
        long start = Sizes.alignUp(byteOffset, HOLE_UNIT);
        long end = (byteOffset + byteSize) & -HOLE_UNIT;
        if (start < end) {
            memory.punch(start, end - start);
        }
    }

    /// Makes a range zero that may contain holes. Stores to it need no space on the disk.
    public void clear(long byteOffset, long byteSize) {
        memory.storeAgain(byteOffset, byteSize);
        segment().asSlice(byteOffset, byteSize).fill((byte) 0);
    }

    /// Writes a range to the device.
    public void force(long byteOffset, long byteSize) {
        memory.force(byteOffset, byteSize);
    }

    public boolean isLive() {
        return memory.isLive();
    }

    /// Whether the structure has been changed, by this process or one that was killed, since it was complete.
    public boolean isOpen() {
        return segment().get(LONG, StructureFormat.STATE) == StructureFormat.OPEN;
    }

    /// Records on the device that the structure is open. No change may come before.
    ///
    /// @throws IllegalStateException if the arena is being closed
    public void open() {
        checkOpen.run();
        open(boot);
    }

    /// Records on the device that the structure is incomplete, whatever ends the process, until [#close()].
    public void beginRepair() {
        open(BootId.UNKNOWN);
    }

    private void open(long boot) {
        MemorySegment header = segment();
        // What a tree has returned to its forced root comes before the boot that trusts it.
        VarHandle.storeStoreFence();
        header.set(LONG, StructureFormat.BOOT, boot);
        LONG_HANDLE.setRelease(header, StructureFormat.STATE, StructureFormat.OPEN);
        force(0, StructureFormat.BYTE_SIZE);
    }

    /// Records on the device that the structure is complete, after everything else was written.
    public void close() {
        force(0, segment().byteSize());
        complete();
    }

    /// Records on the device that the structure is complete. Its contents are on the device.
    public void complete() {
        memory.checkLive();
        LONG_HANDLE.setRelease(segment(), StructureFormat.STATE, StructureFormat.CLOSED);
        force(0, StructureFormat.BYTE_SIZE);
    }
}
