package dev.arenakit.mapped;

import dev.arenakit.BlockAllocator;
import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.internal.arena.GrowableMemory;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of an [InfiniteArena] that grows in place: its address never changes.
///
/// **Backing.** A range of addresses of the largest size is reserved once, and takes neither memory nor disk space. The
/// sparse file behind it grows. In a [reserved][InfiniteArenaBuilder#reserved()] arena, growth reserves the blocks of
/// the new range. If the file system allows no file of the largest size, the memory needs several files, and native
/// access: see [InfiniteArena].
///
/// **Segments.** [#segment()] is as large as the memory is now. Earlier, smaller segments stay valid, and share the
/// memory. No segment goes beyond the end of the file, unless another program makes the file smaller.
///
/// **Lifetime.** The memory lives as long as the arena. It never shrinks, and it cannot grow after it has been freed.
///
/// **Threads.** If the arena is shared, any thread may grow the memory while others access it. Other threads see the
/// growth when they call [#segment()] or [#byteSize()]. If the arena is confined, only its thread may grow the memory.
///
/// **Contents.** Grown memory is zeroed.
///
/// **Elements.** [#elementCount(long)] stores how many elements the memory contains, after they have been stored. The
/// catalog keeps the number, and a program that opens the memory again continues behind them. No method of this class
/// changes it, and neither do structures that use [#asAllocator()].
///
/// **Image.** The catalog records the present size. If the process dies while the memory grows, the image contains the
/// memory with either its previous or its new size.
///
/// **Cost.** Growing takes some tens of microseconds, because the size of the file changes, and in a reserved arena
/// also the time to reserve the blocks. Double the size, or grow by megabytes.
///
/// ```java
/// GrowableSegment values = arena.growable(1L << 40);
/// values.grow(1 << 20).set(JAVA_LONG, 0, 42);
/// values.grow(1 << 30).get(JAVA_LONG, 0); // 42, at the same address
/// ```
public final class GrowableSegment {
    private final GrowableMemory memory;

    GrowableSegment(GrowableMemory memory) {
        this.memory = memory;
    }

    /// The memory, for structures that need more than users do.
    GrowableMemory memory() {
        return memory;
    }

    /// {@return the memory with its present size}
    public MemorySegment segment() {
        return memory.segment();
    }

    /// {@return the present size in bytes, 0 if the memory is new}
    public long byteSize() {
        return memory.byteSize();
    }

    /// {@return the size in bytes up to which the memory can grow}
    public long maxByteSize() {
        return memory.maxByteSize();
    }

    /// Grows the memory. It never shrinks: a size that is not larger than the present one has no effect.
    ///
    /// @param newByteSize the new size in bytes
    /// @return the memory with its present size, which is at least the new size
    /// @throws IllegalArgumentException  if the size is negative
    /// @throws WrongThreadException      if the arena is confined to another thread
    /// @throws IllegalStateException     if the arena is closed, the memory was freed, or another owner has taken the
    ///                                   image over; nothing has changed
    /// @throws CapacityExceededException if the size is larger than [#maxByteSize()], or the budget of a
    ///                                   [reserved][InfiniteArenaBuilder#reserved()] arena is exceeded
    /// @throws DiskFullException         if the arena is reserved, and the disk has no room; nothing has changed
    /// @throws UncheckedIOException      if the file system refuses the size of the file, or the file was removed or
    ///                                   replaced; nothing has changed
    public MemorySegment grow(long newByteSize) {
        return memory.grow(newByteSize);
    }

    /// Returns the number of elements that was [stored][#elementCount(long)] last, by this process or a previous owner
    /// of the image.
    ///
    /// If the machine has been started since, it is the number that was stored before the last [InfiniteArena#force()].
    /// The memory behind these elements may contain others, complete or not. The same holds where the system does
    /// not tell its starts apart, whenever the image is reopened, and if the image was moved to another machine
    /// without [ArenaImage#copyTo] after its owner had died. Opening the memory then logs a warning with both numbers.
    /// After a move, all elements are there, and [#elementCount(long)] with the [stored number][Allocation#storedCount]
    /// counts them. The number is also forced when the arena is closed.
    ///
    /// @return the number of elements, 0 at first
    /// @throws WrongThreadException  if the arena is confined to another thread
    /// @throws IllegalStateException if the arena is closed or has no catalog, or the number is damaged
    public long elementCount() {
        return memory.elementCount();
    }

    /// Stores the number of elements. Call this method when the elements have been stored: other threads and processes
    /// that read the number afterwards see them. Nothing is lost if the process is killed. [InfiniteArena#force()]
    /// writes the elements, and then their number, to the device.
    ///
    /// The call stores 8 bytes. One thread at a time calls this method.
    ///
    /// ```java
    /// TRADES.setAtIndex(trades.segment(), count, trade); // RecordMapper<Trade> TRADES
    /// trades.elementCount(count + 1);
    /// ```
    ///
    /// @param count the number of elements, which fit into the present size; elements of memory without a type have at
    ///              least one byte
    /// @throws IllegalArgumentException if the number is negative, or exceeds the present size
    /// @throws WrongThreadException     if the arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed or has no catalog, the memory was freed, or another
    ///                                  owner has taken the image over
    public void elementCount(long count) {
        memory.elementCount(count);
    }

    /// Returns an allocator for one structure that grows in place, such as a [dev.arenakit.collection.LongList].
    ///
    /// The allocator has one block at a time: the memory from its beginning. It grows with
    /// [reallocate][BlockAllocator#reallocate], at the same address. A block that is freed, or becomes smaller, leaves
    /// the memory as it is. The contents of a new block are zeroed only where the memory has not been used before.
    ///
    /// While there is a block, a further allocation throws a [CapacityExceededException]. Each call of this method
    /// returns a new allocator, which does not know the blocks of the others.
    ///
    /// @return an allocator, which one thread at a time may use
    public BlockAllocator asAllocator() {
        return new InPlace(memory);
    }

    /// The allocator of one block.
    private static final class InPlace implements BlockAllocator {
        private final GrowableMemory memory;
        private @Nullable MemorySegment block;

        InPlace(GrowableMemory memory) {
            this.memory = memory;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            Sizes.checkArguments(byteSize, byteAlignment);
            Sizes.checkAlignmentAtMost(Long.lowestOneBit(memory.address()), byteAlignment,
                    "the address of this memory is a multiple of no larger one");
            if (block != null) {
                throw new CapacityExceededException("The memory has one block, which is in use", 1, 1, 1,
                        "give each structure a GrowableSegment of its own");
            }
            MemorySegment allocated = memory.grow(byteSize).asSlice(0, byteSize);
            block = allocated;
            return allocated;
        }

        @Override
        public void free(MemorySegment segment) {
            checkBlock(segment);
            block = null;
        }

        @Override
        public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
            Sizes.checkArguments(newByteSize, 1);
            checkBlock(segment);
            MemorySegment resized = memory.grow(newByteSize).asSlice(0, newByteSize);
            block = resized;
            return resized;
        }

        private void checkBlock(MemorySegment segment) {
            // Segments are equal if they begin at the same address.
            if (block == null || !segment.equals(block) || segment.byteSize() != block.byteSize()) {
                throw new IllegalArgumentException("Not the block of this memory: " + segment);
            }
        }
    }
}
