package dev.arenakit.internal.malloc;

import dev.arenakit.MallocArenaStatistics;
import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.internal.scope.SharedClose;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/// The registry of the blocks of a checked `MallocArena` or `FreeListArena`, each with a scope of its own.
///
/// Thread-safe. When the scope of a block ends, the users' cleanups run without the lock.
public final class CheckedMallocRegistry implements MallocRegistry.Guarded {
    /*
     * A thread that frees a block first claims it, under the lock, so that all other threads reject it. Then it ends
     * the scope, without the lock. If the scope is still alive, the block is in use, and the claim is withdrawn.
     * Otherwise the thread removes the block from the map and frees its memory.
     *
     * close() first ends the blocks that were allocated before the call. Then the arena rejects further blocks, and
     * close() ends the blocks that other threads or users' cleanups have allocated meanwhile, and at last the scope of
     * the arena. If a block is in use, the arena accepts blocks again.
     */
    /// How often a thread yields to a thread that ends the scope of a block. Ending a scope takes tens of microseconds.
    private static final int MOST_YIELDS = 100_000;

    private final BlockSource source;
    private final Arena delegate;
    private final MemorySegment view;
    private final boolean shared;
    private final SharedClose closing;
    private final Object lock = new Object();
    /// The blocks by address, in the order of their numbers; guarded by the lock, as are the next fields.
    private final Map<Long, Block> blocks = new LinkedHashMap<>();
    /// Who freed a block, by the scope of its segments, or null if no stacks are taken. An entry remains as long as
    /// somebody has such a segment.
    private final @Nullable Map<MemorySegment.Scope, Throwable> frees;
    /// Whether the map is being changed. If an Error interrupts that, the map may lack a live block.
    private boolean changing;
    /// How many blocks have been allocated.
    private long allocated;
    /// Whether a close rejects further blocks: set under the lock, and withdrawn if the close is refused.
    private volatile boolean closed;

    /// @param stacks  whether the stack of each call that frees a block is taken, for the exception of a later call
    /// @param release runs after all scopes have ended
    public CheckedMallocRegistry(BlockSource source, Arena delegate, boolean shared, boolean stacks, Runnable release) {
        this.source = source;
        this.delegate = delegate;
        view = Scopes.viewOf(delegate);
        this.shared = shared;
        frees = stacks ? new WeakHashMap<>() : null;
        closing = new SharedClose(delegate, shared, this::endAll, release);
    }

    @Override
    public void checkOpen() {
        Scopes.checkOpen(view);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment, boolean zeroed) {
        Sizes.checkAddressable(byteSize, byteAlignment);
        Arena arena = shared ? Arena.ofShared() : Arena.ofConfined();
        MemorySegment view = Scopes.viewOf(arena);
        long address = source.allocate(byteSize, byteAlignment, zeroed);
        try {
            MemorySegment segment = view.asSlice(address, byteSize);
            add(new Block(address, byteSize, byteAlignment, arena));
            return segment;
        } catch (Throwable t) {
            source.free(address, byteSize, byteAlignment);
            throw t;
        }
    }

    @Override
    public void free(MemorySegment segment) {
        endClaimed(claim(segment), segment);
    }

    private void endClaimed(Block block, MemorySegment segment) {
        try {
            recordFree(segment);
        } catch (Throwable t) {
            block.claimant = null;
            throw t;
        }
        end(block);
    }

    private void recordFree(MemorySegment segment) {
        if (frees != null) {
            Throwable here = new Throwable("Block was freed by thread " + Thread.currentThread().getName());
            synchronized (lock) {
                frees.put(segment.scope(), here);
            }
        }
    }

    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        Block block = claim(segment);
        MemorySegment moved = null;
        try {
            moved = allocate(newByteSize, block.byteAlignment, false);
            // By segments: another thread may close the arena, and end the new block with it.
            MemorySegment.copy(segment, 0, moved, 0, Math.min(block.byteSize, newByteSize));
        } catch (Throwable t) {
            block.claimant = null;
            if (moved != null) {
                discard(moved);
            }
            throw t;
        }
        try {
            endClaimed(block, segment);
        } catch (Throwable t) {
            discard(moved);
            throw t;
        }
        return moved;
    }

    @Override
    public MemorySegment blockAt(long address) {
        synchronized (lock) {
            if (changing) {
                throw MallocRegistry.interrupted();
            }
            Block block = blocks.get(address);
            if (block == null || !block.isAlive()) {
                throw MallocRegistry.notALiveBlock(address);
            }
            return Scopes.viewOf(block.arena).asSlice(address, block.byteSize);
        }
    }

    @Override
    public MemorySegment adopt(long address, long byteSize) {
        Arena arena = shared ? Arena.ofShared() : Arena.ofConfined();
        MemorySegment segment = Scopes.viewOf(arena).asSlice(address, byteSize);
        source.count(byteSize);
        try {
            addUnknown(new Block(address, byteSize, 1, arena));
        } catch (Throwable t) {
            source.uncount(byteSize, 1);
            throw t;
        }
        return segment;
    }

    private void addUnknown(Block block) {
        synchronized (lock) {
            // A block whose scope has ended stays in the map until its memory is about to be freed.
            if (blocks.containsKey(block.key)) {
                throw CBlocks.alreadyABlock(block.key, block.byteSize);
            }
            add(block);
        }
    }

    @Override
    public MemorySegment release(MemorySegment segment) {
        Block block = claim(segment);
        MemorySegment released;
        try {
            source.checkReleasable(block.byteAlignment);
            released = Memory.segment(block.key, block.byteSize);
        } catch (Throwable t) {
            block.claimant = null;
            throw t;
        }
        endScope(block);
        remove(block);
        source.uncount(block.byteSize, block.byteAlignment);
        return released;
    }

    @Override
    public MallocArenaStatistics stats(String name) {
        MallocCounts counts = new MallocCounts();
        synchronized (lock) {
            if (changing) {
                throw MallocRegistry.interrupted();
            }
            for (Block block : blocks.values()) {
                counts.add(block.byteSize, Math.max(block.byteAlignment,
                        AllocatorFunctions.nativeByteSize(block.byteSize, block.byteAlignment)));
            }
        }
        return counts.statistics(name);
    }

    private void discard(MemorySegment moved) {
        try {
            free(moved);
        } catch (IllegalArgumentException e) {
            // A close in another thread has freed it.
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        closing.close();
    }

    /// Ends the scopes of all blocks, and then the scope of their arena. Exceptions of users' cleanups are rethrown at
    /// the end.
    ///
    /// @throws IllegalStateException if a block is in use; that block and the scope of the arena are still alive, while
    ///                               other blocks may have ended
    private void endAll() {
        int ended = 0;
        Throwable thrown = null;
        long mostNumber = allocated();
        while (true) {
            Block block = null;
            try {
                block = claimAny(mostNumber);
                if (block == null && closed) {
                    break;
                }
                if (block == null) {
                    mostNumber = rejectBlocks();
                    continue;
                }
                end(block);
            } catch (Throwable t) {
                if (block == null || block.isAlive()) {
                    closed = false;
                    throw inUse(t, ended, thrown);
                }
                thrown = suppress(t, thrown);
            }
            ended++;
        }
        try {
            delegate.close();
        } catch (Throwable t) {
            if (delegate.scope().isAlive()) {
                closed = false;
                throw inUse(t, ended, thrown);
            }
            thrown = suppress(t, thrown);
        }
        if (thrown != null) {
            throw NotInlined.rethrow(thrown);
        }
    }

    /// Rejects further blocks, and returns the number of the last one.
    private long rejectBlocks() {
        synchronized (lock) {
            closed = true;
            return allocated;
        }
    }

    /// Adds a block. If this method throws, nothing has been added, or a block that has no memory.
    private void add(Block block) {
        synchronized (lock) {
            // Under the lock, as the arena may have been closed since the last check.
            if (closed) {
                throw Scopes.alreadyClosed();
            }
            if (changing) {
                throw MallocRegistry.interrupted();
            }
            block.number = ++allocated;
            changing = true;
            try {
                blocks.put(block.key, block);
            } catch (OutOfMemoryError e) {
                // The map adds an entry before it grows.
                blocks.remove(block.key);
                changing = false;
                throw e;
            }
            changing = false;
            block.hasMemory = true;
        }
    }

    /// Claims a block. If another thread is ending its scope, this method waits until the scope has ended or turns out
    /// to be in use. No user's code runs in the meantime.
    private Block claim(MemorySegment segment) {
        for (int i = 0; i < MOST_YIELDS; i++) {
            synchronized (lock) {
                if (changing) {
                    throw MallocRegistry.interrupted();
                }
                Block block = blocks.get(segment.address());
                if (block == null || !block.isAlive() || !segment.scope().equals(block.arena.scope())
                        || segment.byteSize() != block.byteSize || segment.isReadOnly()) {
                    throw notALiveBlock(segment);
                }
                if (block.tryClaim()) {
                    return block;
                }
            }
            waitForOther();
        }
        throw claimedByOther();
    }

    /// The exception of a segment that is no live block. The lock is held.
    private IllegalArgumentException notALiveBlock(MemorySegment segment) {
        IllegalArgumentException refusal = MallocRegistry.notALiveBlock(segment);
        if (frees != null) {
            refusal.initCause(frees.get(segment.scope()));
        }
        return refusal;
    }

    /// Claims any block up to a number, or returns null if there is no such block. This method waits as [#claim] does.
    private @Nullable Block claimAny(long mostNumber) {
        for (int i = 0; i < MOST_YIELDS; i++) {
            boolean ending = false;
            synchronized (lock) {
                for (Block block : blocks.values()) {
                    if (block.number > mostNumber) {
                        break;
                    }
                    if (block.tryClaim()) {
                        return block;
                    }
                    ending |= block.isAlive();
                }
            }
            if (!ending) {
                return null;
            }
            waitForOther();
        }
        throw claimedByOther();
    }

    @SuppressWarnings("ThreadPriorityCheck") // The other thread performs a handshake of all threads.
    private static void waitForOther() {
        Thread.yield();
    }

    private static IllegalStateException claimedByOther() {
        return new IllegalStateException("A block is being freed by another thread; try again");
    }

    private long allocated() {
        synchronized (lock) {
            return allocated;
        }
    }

    private void end(Block block) {
        endScope(block);
        removeAndFree(block);
    }

    /// Ends the scope of a block. If a user's cleanup throws, the block is freed.
    private void endScope(Block block) {
        try {
            block.arena.close();
        } catch (Throwable t) {
            if (block.isAlive()) {
                block.claimant = null;
            } else if (!shared || !(t instanceof VirtualMachineError)) {
                removeAndFree(block);
            }
            throw t;
        }
    }

    private void removeAndFree(Block block) {
        remove(block);
        if (block.hasMemory) {
            source.free(block.key, block.byteSize, block.byteAlignment);
        }
    }

    /// Removes a block whose scope has ended.
    private void remove(Block block) {
        synchronized (lock) {
            boolean interrupted = changing;
            changing = true;
            blocks.remove(block.key, block);
            changing = interrupted;
        }
    }

    /// The exception of a close that is refused after some blocks have ended.
    private static RuntimeException inUse(Throwable refusal, int ended, @Nullable Throwable earlier) {
        if (ended == 0 || !(refusal instanceof IllegalStateException)) {
            throw NotInlined.rethrow(refusal);
        }
        IllegalStateException refused = new IllegalStateException("A segment is in use, and the arena remains open: "
                + "endedBlocks=" + ended + "; close the arena again when no native call uses its segments", refusal);
        if (earlier != null) {
            refused.addSuppressed(earlier);
        }
        return refused;
    }

    private static Throwable suppress(Throwable later, @Nullable Throwable earlier) {
        if (earlier == null) {
            return later;
        }
        if (!earlier.equals(later)) {
            earlier.addSuppressed(later);
        }
        return earlier;
    }

    private static final class Block {
        /// The address, boxed once: freeing a block needs no heap.
        final Long key;
        final long byteSize;
        final long byteAlignment;
        final Arena arena;
        /// Blocks are numbered as they are allocated.
        long number;
        /// Whether this block is responsible for its memory: not before it has been added.
        boolean hasMemory;
        /// The thread that is ending the scope, or null. It is set under the lock.
        volatile @Nullable Thread claimant;

        Block(long address, long byteSize, long byteAlignment, Arena arena) {
            this.key = address;
            this.byteSize = byteSize;
            this.byteAlignment = byteAlignment;
            this.arena = arena;
        }

        boolean isAlive() {
            return arena.scope().isAlive();
        }

        /// Claims this block, unless its scope has ended or another thread is ending it. A claim of the current thread,
        /// or of a terminated one, is left from a call that has failed: a cleanup sees a scope that has ended.
        boolean tryClaim() {
            Thread other = claimant;
            if (!isAlive() || (other != null && !other.equals(Thread.currentThread()) && other.isAlive())) {
                return false;
            }
            claimant = Thread.currentThread();
            return true;
        }
    }
}
