package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArenaStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The registry of the blocks of a shared, unchecked `MallocArena`, behind a lock.
public final class SharedMallocRegistry implements MallocRegistry.Guarded {
    private final AllocatorFunctions allocator;
    private final MemorySegment view;
    private final SharedClose closing;
    private final Object lock = new Object();
    private final MallocRegistry blocks = new MallocRegistry();

    public SharedMallocRegistry(AllocatorFunctions allocator, Arena delegate, MemorySegment view) {
        this.allocator = allocator;
        this.view = view;
        closing = new SharedClose(delegate, true, delegate::close, this::freeAll);
    }

    @Override
    public void checkOpen() {
        Scopes.checkOpen(view);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        long sizeAndAlignment = MallocHeader.sizeAndAlignment(byteSize, byteAlignment);
        long address = MallocHeader.allocate(allocator, sizeAndAlignment, zeroed);
        try {
            MemorySegment segment = view.asSlice(address, byteSize);
            synchronized (lock) {
                // Under the lock, as the blocks may have been freed since the last check.
                Scopes.checkOpen(view);
                blocks.add(address, sizeAndAlignment);
            }
            return segment;
        } catch (Throwable t) {
            MallocHeader.free(allocator, address, sizeAndAlignment);
            throw t;
        }
    }

    @Override
    public void free(MemorySegment segment) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            blocks.free(allocator, view, segment);
        }
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        long newSizeAndAlignment;
        synchronized (lock) {
            Scopes.checkOpen(view);
            newSizeAndAlignment = blocks.resized(allocator, view, segment, newByteSize);
        }
        // Without the lock: other threads do not wait for the copy of a large block. If the arena is closed meanwhile,
        // its scope keeps the memory until the copy ends, or refuses the copy.
        MemorySegment moved = MallocRegistry.copy(allocator, view, segment, newByteSize, newSizeAndAlignment);
        boolean isReplaced;
        synchronized (lock) {
            isReplaced = view.scope().isAlive()
                    && blocks.replace(allocator, segment, moved, newSizeAndAlignment);
        }
        if (!isReplaced) {
            MallocHeader.free(allocator, moved.address(), newSizeAndAlignment);
            Scopes.checkOpen(view);
            throw MallocRegistry.notALiveBlock(segment);
        }
        return moved;
    }

    @Override
    public MemorySegment blockAt(long address) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            return blocks.blockAt(allocator, view, address);
        }
    }

    @Override
    public MemorySegment adopt(long address, long byteSize) {
        synchronized (lock) {
            // Under the lock, as the blocks may have been freed since the last check.
            Scopes.checkOpen(view);
            return blocks.adopt(allocator, view, address, byteSize);
        }
    }

    @Override
    public MemorySegment release(MemorySegment segment) {
        synchronized (lock) {
            Scopes.checkOpen(view);
            return blocks.release(allocator, view, segment);
        }
    }

    @Override
    public MallocArenaStatistics stats(String name) {
        synchronized (lock) {
            // Under the lock, as the blocks may have been freed since the last check.
            Scopes.checkOpen(view);
            return blocks.stats(name);
        }
    }

    @Override
    public void close() {
        closing.close();
    }

    private void freeAll() {
        synchronized (lock) {
            blocks.freeAll(allocator);
        }
    }
}
