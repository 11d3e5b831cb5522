package dev.arenakit.diagnostics;

import dev.arenakit.BlockAllocator;
import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.diagnostics.debug.DebugBlocks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// An arena that finds accesses outside its blocks and accesses to freed blocks: for tests, and for a bad day.
///
/// **Backing.** Memory of its own, with guard pages or known bytes around each block ([DebugOptions]). Only the scope
/// is the wrapped arena's, whose `allocate` is never called. To find an error in code that takes an [Arena] or a
/// [BlockAllocator], wrap the arena where it is opened. For a variable of a
/// narrower type, call [wrapped][dev.arenakit.SlabArena#wrapped] of a [dev.arenakit.SlabArena] or a
/// [dev.arenakit.MallocArena].
///
/// **What is found.** An access to a guard page terminates the process, also if it is a read. The JVM writes its crash
/// file, and [CrashReport] tells the block and its allocation from it and from the block file of the arena. A write to
/// the other bytes around a block, or to a freed block, is found when the block is freed, and by [#check()] and
/// [#close()]. Each find is thrown, and is a warning of the [System.Logger] `dev.arenakit.blocks` before any memory is
/// freed. A system call is not terminated at a guard page: it writes less, or reports `EFAULT`. Java code with segments
/// of this arena cannot access such bytes, except freed blocks; native code can.
///
/// **Lifetime.** The segments live until [#close()], which closes the wrapped arena, too. Close this arena and not the
/// wrapped one; otherwise nothing is checked, and the memory is lost. For this reason, do not wrap [Arena#ofAuto()] or
/// [Arena#global()]. [#free] fills a block with 0xDF; its memory is kept until the arena is closed, so that no later
/// block has its address. If the arena is never closed, its block file remains. After `close`, native code that has
/// kept an address may read the memory of somebody else, unless there is a [quarantine][DebugOptions#withQuarantine].
///
/// **Threads.** The threads of the wrapped arena. If these are all threads, all methods may be called concurrently.
///
/// **Zeroing.** Memory is zeroed. With [DebugOptions#unzeroed()] it is filled with 0xCD, so that a read of memory that
/// was not written is conspicuous.
///
/// **Alignment.** Any power of two. A block has the requested alignment and mostly no larger one: code that relied on
/// the larger alignment of another arena fails.
///
/// **When it is full.** An arena with guard pages has at most 5,000 blocks, freed ones included, because each block
/// takes two of the 65,530 mappings of a process. Then a [CapacityExceededException] names the remedy.
///
/// **Cost.** Two system calls and the stack of the caller for each block, and some 2 KB of text in the block file. With
/// canaries, the stack alone.
///
/// **Native access** is required: `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path.
///
/// {@snippet file="dev/arenakit/diagnostics/DebugSnippets.java" region="debug"}
public final class DebugArena implements Arena, BlockAllocator {
    private final DebugBlocks blocks;

    private DebugArena(DebugBlocks blocks) {
        this.blocks = blocks;
    }

    /// Wraps an arena with the [default options][DebugOptions#behind()].
    ///
    /// @param arena an open arena that can be closed
    /// @return an arena with the scope of the other, which it closes
    /// @throws IllegalCallerException        if native access is denied
    /// @throws UnsupportedOperationException if there are no guard pages on this system
    public static DebugArena wrap(Arena arena) {
        return wrap(arena, DebugOptions.behind());
    }

    /// Wraps an arena.
    ///
    /// @param arena   an open arena that can be closed
    /// @param options what to watch
    /// @return an arena with the scope of the other, which it closes
    /// @throws IllegalCallerException        if native access is denied
    /// @throws UnsupportedOperationException if the options need guard pages, which this system lacks
    public static DebugArena wrap(Arena arena, DebugOptions options) {
        return new DebugArena(DebugBlocks.of(Objects.requireNonNull(arena, "arena"), options));
    }

    /// Allocates a block.
    ///
    /// @param byteSize      the size in bytes; 0 gives a zero-length segment with an address of its own
    /// @param byteAlignment the alignment in bytes, any power of two
    /// @return the segment, in the scope of the wrapped arena
    /// @throws IllegalArgumentException      if the size is negative or the alignment is not a power of two
    /// @throws WrongThreadException          if the wrapped arena is confined to another thread
    /// @throws IllegalStateException         if the arena is closed
    /// @throws CapacityExceededException     if the arena has 5,000 blocks with guard pages
    /// @throws OutOfMemoryError              if there is no memory, or if the process has too many mappings
    /// @throws java.io.UncheckedIOException if the block file cannot be written
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return blocks.allocate(byteSize, byteAlignment);
    }

    /// Frees a block: it is filled with 0xDF, and must not be used any more.
    ///
    /// @param segment a segment exactly as this arena returned it
    /// @throws IllegalArgumentException if the segment is not a live block of this arena; if it was freed before, the
    ///                                  cause has the stack of that call
    /// @throws WrongThreadException     if the wrapped arena is confined to another thread
    /// @throws IllegalStateException    if the arena is closed
    /// @throws CorruptedBlockException  if bytes around the block were overwritten; the block is freed nevertheless
    @Override
    public void free(MemorySegment segment) {
        blocks.free(Objects.requireNonNull(segment, "segment"));
    }

    /// Allocates a new block, copies the bytes that fit, and frees the old block, as [#allocate] and [#free] do. Added
    /// bytes have the content of a new block.
    ///
    /// @throws CorruptedBlockException if bytes around the old block were overwritten; both blocks are freed
    @Override
    public MemorySegment reallocate(MemorySegment segment, long newByteSize) {
        return blocks.reallocate(Objects.requireNonNull(segment, "segment"), newByteSize);
    }

    /// Checks the bytes around all blocks, and the bytes of freed blocks, at once: to find out which of two calls
    /// overwrites them. Takes time proportional to the number of blocks and the size of freed ones.
    ///
    /// @throws CorruptedBlockException if bytes were overwritten; they are set right, so that they are reported once.
    ///                                 Further finds are suppressed exceptions, ten at most
    /// @throws WrongThreadException    if the wrapped arena is confined to another thread
    /// @throws IllegalStateException   if the arena is closed
    public void check() {
        blocks.check();
    }

    /// Checks the blocks of closed arenas that are in the [quarantine][DebugOptions#withQuarantine]: a system call that
    /// was pending when its arena was closed writes there without an error. A block is also checked when it leaves the
    /// quarantine, and then the log has the find.
    ///
    /// @throws CorruptedBlockException as from [#check()]
    public static void checkQuarantine() {
        DebugBlocks.checkQuarantine();
    }

    @Override
    public MemorySegment.Scope scope() {
        return blocks.scope();
    }

    /// Closes the wrapped arena, checks all blocks as [#check()] does, logs what it has found, releases the blocks, and
    /// deletes the block file. With a [quarantine][DebugOptions#withQuarantine], the blocks and the file remain for a
    /// while.
    ///
    /// If the wrapped arena cannot be closed because a segment is in use, nothing has changed.
    ///
    /// @throws CorruptedBlockException if bytes were overwritten, after everything was released; if a cleanup of the
    ///                                 wrapped arena also throws, the corruption is a suppressed exception of it
    /// @throws WrongThreadException    if the wrapped arena is confined to another thread
    /// @throws IllegalStateException   if the arena is already closed, or a segment is in use
    @Override
    public void close() {
        blocks.close();
    }
}
