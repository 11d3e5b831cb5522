package dev.arenakit.internal.diagnostics.debug;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.CorruptedBlockException;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.diagnostics.DebugOptions.Guard;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.diagnostics.event.Warnings;
import dev.arenakit.internal.nativecall.LinuxSystem;
import dev.arenakit.internal.nativecall.NativeAccess;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The blocks of a debug arena. Thread-safe: a lock serves confined arenas as well.
public final class DebugBlocks {
    /// Each block with guards takes two mappings of the 65,530 of a process, which the JVM and its libraries need too.
    private static final int MOST_GUARDED = 5_000;
    /// How many further blocks an exception reports.
    private static final int MOST_SUPPRESSED = 10;

    private final Arena arena;
    private final MemorySegment view;
    private final DebugOptions options;
    private final SharedClose closing;
    private final Object lock = new Object();
    /// All blocks by address, freed ones included; guarded by the lock, as are the next fields.
    private final Map<Long, DebugBlock> blocks = new LinkedHashMap<>();
    private final BlockChunks chunks;
    private final @Nullable BlockFile file;
    private long allocated;
    /// The thread that has released the blocks, and what it has found, or null.
    private @Nullable Thread closer;
    private @Nullable Throwable found;

    private DebugBlocks(Arena arena, DebugOptions options) {
        this.arena = arena;
        this.options = options;
        view = Scopes.viewOf(arena);
        chunks = new BlockChunks(options.zeroed());
        file = options.blockFiles().map(BlockFile::new).orElse(null);
        // A scope for all threads is accessible by a thread that never runs, too.
        boolean shared = view.isAccessibleBy(new Thread(() -> {}));
        closing = new SharedClose(arena, shared, arena::close, this::releaseAll);
    }

    /// Returns an empty registry.
    ///
    /// @param arena the arena of the scope
    public static DebugBlocks of(Arena arena, DebugOptions options) {
        if (options.guard() != Guard.CANARIES && !PageMappings.isSupported()) {
            throw new UnsupportedOperationException("No guard pages on this system: " + LinuxSystem.describe()
                    + "; use DebugOptions.canaries()");
        }
        NativeAccess.require();
        return new DebugBlocks(arena, options);
    }

    /// Returns a new block in the scope of the arena.
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        Sizes.checkArguments(byteSize, byteAlignment);
        Scopes.checkOpen(view);
        synchronized (lock) {
            // Under the lock, as the blocks may have been released since the last check.
            Scopes.checkOpen(view);
            if (options.guard() != Guard.CANARIES && blocks.size() >= MOST_GUARDED) {
                throw new CapacityExceededException("Too many blocks with guard pages", MOST_GUARDED, blocks.size(), 1,
                        "close debug arenas sooner, wrap fewer arenas, or use DebugOptions.canaries()");
            }
            BlockPlace place = BlockPlace.allocate(options.guard(), chunks, options.zeroed(), byteSize, byteAlignment);
            try {
                MemorySegment segment = view.asSlice(place.address(), byteSize);
                add(place);
                return segment;
            } catch (Throwable t) {
                // If the map was being changed, it may have the block.
                blocks.remove(place.address());
                place.release();
                throw t;
            }
        }
    }

    private void add(BlockPlace place) {
        long number = ++allocated;
        DebugBlock block = new DebugBlock(number, place, new BlockSite("Block " + number + " was allocated"));
        if (file != null) {
            file.allocated(block);
        }
        blocks.put(place.address(), block);
    }

    /// Frees a block.
    public void free(MemorySegment segment) {
        Scopes.checkOpen(view);
        CorruptedBlockException corruption;
        synchronized (lock) {
            Scopes.checkOpen(view);
            DebugBlock block = liveBlock(segment);
            BlockSite site = new BlockSite("Block " + block.number + " was freed");
            if (file != null) {
                // First: if the file cannot be written, nothing has changed.
                file.freed(block, site);
            }
            corruption = block.free(site);
        }
        report(corruption);
    }

    /// Replaces a block by a new one with the same bytes.
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Sizes.checkArguments(newByteSize, 1);
        Scopes.checkOpen(view);
        long byteAlignment;
        synchronized (lock) {
            Scopes.checkOpen(view);
            byteAlignment = liveBlock(segment).place.byteAlignment();
        }
        MemorySegment moved = allocate(newByteSize, byteAlignment);
        try {
            MemorySegment.copy(segment, 0, moved, 0, Math.min(segment.byteSize(), newByteSize));
            free(segment);
        } catch (Throwable t) {
            if (moved.scope().isAlive()) {
                free(moved);
            }
            throw t;
        }
        return moved;
    }

    private DebugBlock liveBlock(MemorySegment segment) {
        DebugBlock block = blocks.get(segment.address());
        if (block == null || !segment.scope().equals(arena.scope()) || segment.isReadOnly()
                || segment.byteSize() != block.place.byteSize()) {
            throw new IllegalArgumentException("Segment is not a block of this arena: address=0x"
                    + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize()
                    + "; pass the segment exactly as the arena returned it");
        }
        if (block.freed() != null) {
            throw new IllegalArgumentException("Block was freed before: address=0x"
                    + Long.toHexString(segment.address()) + ", byteSize=" + segment.byteSize() + ", block="
                    + block.number + "; the cause has the stack of that call", block.freed());
        }
        return block;
    }

    /// Checks all blocks.
    public void check() {
        Scopes.checkOpen(view);
        Throwable all = null;
        synchronized (lock) {
            Scopes.checkOpen(view);
            for (DebugBlock block : blocks.values()) {
                all = merge(all, block.verify());
            }
        }
        report(all);
    }

    /// Checks the blocks of closed arenas.
    public static void checkQuarantine() {
        Quarantine.check();
    }

    /// Returns the scope of the arena.
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    /// Ends the scope, checks and releases all blocks.
    public void close() {
        // The thread first, then whether the scope is alive.
        Scopes.checkOpen(view);
        try {
            closing.close();
        } catch (Throwable t) {
            synchronized (lock) {
                if (Scopes.isCurrent(closer)) {
                    // A cleanup has thrown. A second caller does not report what the first one has found.
                    throw NotInlined.rethrow(suppress(t, found));
                }
            }
            throw t;
        }
        if (found != null) {
            throw NotInlined.rethrow(found);
        }
    }

    private void releaseAll() {
        synchronized (lock) {
            closer = Thread.currentThread();
            for (DebugBlock block : blocks.values()) {
                try {
                    found = merge(found, block.verify());
                } catch (Throwable t) {
                    found = merge(found, t);
                }
            }
        }
        if (found != null) {
            // Before any memory is freed: the process may not survive that.
            Warnings.ofBlocks(found);
        }
        synchronized (lock) {
            if (options.quarantineByteSize() > 0 && !blocks.isEmpty()) {
                if (file != null) {
                    file.closed(new BlockSite("Arena was closed"));
                }
                Quarantine.add(blocks.values(), file, options.quarantineByteSize());
            } else {
                blocks.values().forEach(block -> block.place.release());
                if (file != null) {
                    file.delete();
                }
            }
            blocks.clear();
            chunks.release();
        }
    }

    static @Nullable Throwable merge(@Nullable Throwable first, @Nullable Throwable next) {
        return first == null ? next : suppress(first, next);
    }

    private static Throwable suppress(Throwable first, @Nullable Throwable next) {
        if (next != null && first.getSuppressed().length < MOST_SUPPRESSED) {
            first.addSuppressed(next);
        }
        return first;
    }

    /// Logs and throws what was found, if anything. No lock is held: the logger belongs to the user.
    static void report(@Nullable Throwable found) {
        if (found != null) {
            Warnings.ofBlocks(found);
            throw NotInlined.rethrow(found);
        }
    }
}
