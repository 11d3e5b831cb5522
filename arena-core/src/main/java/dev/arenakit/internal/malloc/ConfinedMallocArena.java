package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArena;
import dev.arenakit.MallocArenaStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.ConfinedArena;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena over malloc for one thread, whose blocks have the scope of the arena.
public sealed class ConfinedMallocArena extends ConfinedArena implements MallocArena {
    /// The second receiver of the call that [ConfinedArena] describes.
    private static final ConfinedMallocArena SECOND = new Second();

    static {
        // C2 inlines no method whose signature names a class that is not loaded yet.
        LeakWatch.load();
    }

    private final AllocatorFunctions allocator;
    private final @Nullable Thread owner;
    /// Whether the arena has been closed, or is being closed.
    private boolean closing;
    private final MallocRegistry blocks;
    /// What is known of this arena if it is watched for leaks, or null.
    private final @Nullable LeakWatch open;

    /// A receiver of [#endScope()] that is no arena.
    @SuppressWarnings("NullAway")
    private ConfinedMallocArena() {
        this.owner = null;
        this.allocator = null;
        this.blocks = null;
        this.open = null;
    }

    private ConfinedMallocArena(Thread owner, AllocatorFunctions allocator, Arena delegate, MemorySegment view,
            MallocRegistry blocks, @Nullable LeakWatch open) {
        super(delegate, view);
        this.owner = owner;
        this.allocator = allocator;
        this.blocks = blocks;
        this.open = open;
    }

    /// Opens an arena for the current thread.
    ///
    /// @param open what is known of the arena if it is watched for leaks, or null
    public static ConfinedMallocArena open(AllocatorFunctions allocator, @Nullable LeakWatch open) {
        NativeAccess.require();
        Arena delegate = Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(delegate);
        MallocRegistry blocks = new MallocRegistry();
        return new ConfinedMallocArena(Thread.currentThread(), allocator, delegate, view, blocks, open);
    }

    @Override
    public final MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (!Scopes.isCurrent(owner) || closing) {
            throw Scopes.refused(owner);
        }
        Sizes.checkAddressable(byteSize, byteAlignment);
        return blocks.allocate(allocator, view, byteSize, byteAlignment, false);
    }

    @Override
    public final MemorySegment allocateZeroed(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        if (!Scopes.isCurrent(owner) || closing) {
            throw Scopes.refused(owner);
        }
        Sizes.checkAddressable(byteSize, byteAlignment);
        return blocks.allocate(allocator, view, byteSize, byteAlignment, true);
    }

    @Override
    public final void free(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        Scopes.checkOpen(view);
        blocks.free(allocator, view, segment);
    }

    @Override
    public final MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Objects.requireNonNull(segment, "segment");
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(view);
        return blocks.reallocate(allocator, view, segment, newByteSize);
    }

    @Override
    public final MemorySegment blockAt(long address) {
        Scopes.checkOpen(view);
        return blocks.blockAt(allocator, view, address);
    }

    @Override
    public final MemorySegment adopt(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        CBlocks.checkAdoptable(allocator, segment);
        Scopes.checkOpen(view);
        return blocks.adopt(allocator, view, segment.address(), segment.byteSize());
    }

    @Override
    public final MemorySegment release(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        CBlocks.checkReleasable(allocator);
        Scopes.checkOpen(view);
        MemorySegment released = blocks.release(allocator, view, segment);
        CBlocks.moveToStart(segment, released);
        return released;
    }

    @Override
    public final MallocArenaStatistics stats() {
        Scopes.checkOpen(view);
        return blocks.stats(allocator.user());
    }

    @Override
    public final String toString() {
        return GuardedMallocArena.describe(this);
    }

    @Override
    public final void close() {
        if (!Scopes.isCurrent(owner) || closing) {
            throw Scopes.refused(owner);
        }
        closing = true;
        try {
            endScope(SECOND, this);
        } catch (Throwable t) {
            // First, in case the next call fails: a segment may be in use.
            closing = false;
            if (!delegate.scope().isAlive()) {
                // A user's cleanup has thrown.
                closing = true;
                LeakWatch.closed(NotInlined.CALLS, open);
                blocks.freeAll(allocator);
            }
            throw t;
        }
        // C2 may have reached its limit of nodes by now, beyond which it inlines no method.
        if (open != null) {
            LeakWatch.closed(NotInlined.CALLS, open);
        }
        MallocRegistry last = blocks;
        MallocRegistry.freeAll(allocator, last.single, last.singleSizeAndAlignment, last.newest, last.table);
    }

    private static final class Second extends ConfinedMallocArena {
        @Override
        protected void endScope() {
            // A constant receiver of a call that C2 omits.
        }
    }
}
