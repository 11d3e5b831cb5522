package dev.arenakit.internal.freelist;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListArena;
import dev.arenakit.FreeListStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.malloc.BlockSource;
import dev.arenakit.internal.malloc.CheckedMallocRegistry;
import dev.arenakit.internal.malloc.MallocRegistry;
import dev.arenakit.internal.pool.SlabCache;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena of small blocks, which have the scope of the arena.
public final class UncheckedFreeListArena implements FreeListArena {
    private final Arena delegate;
    private final MemorySegment view;
    private final MemorySegment.Scope scope;
    private final RangeLists blocks;
    private final LargeBlocks large;
    /// The watch for leaks, which ends when the arena is closed, or null.
    private final @Nullable LeakWatch open;
    /// The close of a shared arena, or null.
    private final @Nullable SharedClose closing;

    /// Opens an arena.
    ///
    /// @param pool    the pool that counts the memory, or null; the allocator is the pool's
    /// @param account counts the memory, too, or null
    /// @param open    what is known of the arena if it is watched for leaks, or null
    public UncheckedFreeListArena(AllocatorFunctions allocator, @Nullable SlabCache pool, @Nullable ByteAccount account,
            boolean shared, boolean atomicFree, @Nullable LeakWatch open) {
        this.open = open;
        delegate = shared ? Arena.ofShared() : Arena.ofConfined();
        view = Scopes.viewOf(delegate);
        scope = view.scope();
        RangeProvider source = new RangeProvider(allocator, pool, account, open);
        RangeLists lists = null;
        try {
            large = new LargeBlocks(source, view);
            lists = new RangeLists(view, source, shared, atomicFree);
            blocks = lists;
            closing = shared ? new SharedClose(delegate, true, delegate::close, this::release) : null;
        } catch (Throwable t) {
            if (lists == null) {
                source.close();
            } else {
                lists.close();
            }
            throw t;
        }
    }

    /// The source of the blocks of a checked arena.
    BlockSource source() {
        return new BlockSource() {
            @Override
            public long allocate(long byteSize, long byteAlignment, boolean zeroed) {
                return (zeroed
                        ? allocateZeroed(byteSize, byteAlignment)
                        : UncheckedFreeListArena.this.allocate(byteSize, byteAlignment)).address();
            }

            @Override
            public void free(long address, long byteSize, long byteAlignment) {
                // By address: the scope of the block has ended, and the heap may have no memory for a segment.
                if (!blocks.free(address, byteSize)) {
                    large.free(NotInlined.CALLS, address, byteSize);
                }
            }
        };
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
        if (sizeClass != SizeClasses.NONE) {
            long address = blocks.tryAllocate(sizeClass);
            if (address == 0) {
                throw blocks.full(byteSize, byteAlignment);
            }
            return segmentOf(address, byteSize, byteAlignment);
        }
        Scopes.checkOpen(view);
        return large.allocate(NotInlined.CALLS, byteSize, byteAlignment, false);
    }

    private MemorySegment segmentOf(long address, long byteSize, long byteAlignment) {
        try {
            if (FreeLists.isRecorded(byteSize, byteAlignment)) {
                blocks.record(address, byteSize, byteAlignment);
            }
            return view.asSlice(address, byteSize);
        } catch (Throwable t) {
            blocks.free(address, FreeLists.ANY_SIZE);
            throw t;
        }
    }

    @Override
    @SuppressWarnings("NullAway") // A user does not need the annotation's jar.
    public MemorySegment tryAllocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        int sizeClass = SizeClasses.classOf(byteSize, byteAlignment);
        if (sizeClass != SizeClasses.NONE) {
            long address = blocks.tryAllocate(sizeClass);
            return address == 0 ? null : segmentOf(address, byteSize, byteAlignment);
        }
        Scopes.checkOpen(view);
        try {
            return large.tryAllocate(byteSize, byteAlignment, false);
        } catch (CapacityExceededException | OutOfMemoryError e) {
            return null;
        }
    }

    @Override
    public MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        return SizeClasses.classOf(byteSize, byteAlignment) != SizeClasses.NONE
                ? allocate(byteSize, byteAlignment).fill((byte) 0)
                : large.allocate(NotInlined.CALLS, byteSize, byteAlignment, true);
    }

    @Override
    public void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        if (!isOurs(segment) || !blocks.free(segment.address(), segment.byteSize())) {
            freeOther(NotInlined.CALLS, this, segment);
        }
    }

    private boolean isOurs(MemorySegment segment) {
        return segment.scope().equals(scope) && !segment.isReadOnly();
    }

    private static void freeOther(int calls, UncheckedFreeListArena arena, MemorySegment segment) {
        if (calls > 0) {
            freeOther(calls - 1, arena, segment);
            return;
        }
        Scopes.checkOpen(arena.view);
        if (!arena.isOurs(segment)
                || !arena.large.free(NotInlined.CALLS, segment.address(), segment.byteSize())) {
            throw MallocRegistry.notALiveBlock(segment);
        }
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(view);
        if (!isOurs(segment)) {
            throw MallocRegistry.notALiveBlock(segment);
        }
        long address = segment.address();
        long byteAlignment = blocks.resize(address, segment.byteSize(), newByteSize);
        if (byteAlignment == 0) {
            return view.asSlice(address, newByteSize);
        }
        if (byteAlignment == FreeLists.NOT_LIVE) {
            byteAlignment = large.byteAlignment(segment);
            if (newByteSize <= segment.byteSize()) {
                // First, as there may be no heap memory for it.
                MemorySegment smaller = view.asSlice(address, newByteSize);
                if (large.shrink(address, segment.byteSize(), newByteSize)) {
                    return smaller;
                }
            }
        }
        MemorySegment moved = allocate(newByteSize, byteAlignment);
        try {
            MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
            free(segment);
        } catch (Throwable t) {
            free(moved);
            throw t;
        }
        return moved;
    }

    @Override
    public MemorySegment blockAt(long address) {
        Scopes.checkOpen(view);
        long byteSize = blocks.byteSizeOf(address, 1);
        if (byteSize == FreeLists.NOT_LIVE) {
            if (blocks.byteSizeOf(address, 0) == FreeLists.NOT_LIVE) {
                return large.blockAt(address);
            }
            byteSize = 0;
        }
        return view.asSlice(address, byteSize);
    }

    @Override
    public MemorySegment.Scope scope() {
        return delegate.scope();
    }

    @Override
    public void close() {
        if (closing != null) {
            closing.close();
            return;
        }
        Throwable thrown = Scopes.endConfined(delegate, view);
        release();
        if (thrown != null) {
            throw NotInlined.rethrow(thrown);
        }
    }

    private void release() {
        if (open != null) {
            open.closed();
        }
        large.freeAll();
        blocks.close();
    }

    @Override
    public FreeListStatistics stats() {
        Scopes.checkOpen(view);
        return large.addTo(blocks.stats());
    }
}
