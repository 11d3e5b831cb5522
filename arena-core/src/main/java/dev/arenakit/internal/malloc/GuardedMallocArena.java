package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArena;
import dev.arenakit.MallocArenaStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An arena over malloc that is shared, checked, or both.
public final class GuardedMallocArena extends GuardedArena implements MallocArena {
    private final AllocatorFunctions allocator;

    private GuardedMallocArena(AllocatorFunctions allocator, Arena delegate, MallocRegistry.Guarded blocks,
            @Nullable LeakWatch open) {
        super(delegate, blocks, open);
        this.allocator = allocator;
    }

    /// Opens an arena.
    ///
    /// @param open what is known of the arena if it is watched for leaks, or null
    public static GuardedMallocArena open(AllocatorFunctions allocator, boolean shared, boolean checked,
            @Nullable LeakWatch open) {
        NativeAccess.require();
        Arena delegate = shared ? Arena.ofShared() : Arena.ofConfined();
        MallocRegistry.Guarded blocks = checked
                ? new CheckedMallocRegistry(BlockSource.of(allocator), delegate, shared, open != null,
                        () -> {})
                : new SharedMallocRegistry(allocator, delegate, Scopes.viewOf(delegate));
        return new GuardedMallocArena(allocator, delegate, blocks, open);
    }

    @Override
    public MemorySegment adopt(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        CBlocks.checkAdoptable(allocator, segment);
        blocks.checkOpen();
        return blocks.adopt(segment.address(), segment.byteSize());
    }

    @Override
    public MemorySegment release(MemorySegment segment) {
        Objects.requireNonNull(segment, "segment");
        CBlocks.checkReleasable(allocator);
        blocks.checkOpen();
        MemorySegment released = blocks.release(segment);
        CBlocks.moveToStart(segment, released);
        return released;
    }

    @Override
    public MallocArenaStatistics stats() {
        blocks.checkOpen();
        return blocks.stats(allocator.user());
    }

    @Override
    public String toString() {
        return describe(this);
    }

    /// The statistics of an arena as text, or why there are none.
    static String describe(MallocArena arena) {
        try {
            return arena.stats().toString();
        } catch (IllegalStateException | WrongThreadException e) {
            return "MallocArena: " + e.getMessage();
        }
    }
}
