package dev.arenakit.diagnostics;

import dev.arenakit.internal.diagnostics.budget.Budget;
import java.lang.foreign.Arena;

/// A limit for the off-heap memory of a part of a program, such as a service or a request.
///
/// Budgets form a tree: what is reserved on a budget is reserved on all budgets above it, and the first limit that
/// would be exceeded refuses the allocation with a [BudgetExceededException]. Limits of children may add up to more
/// than the limit of their parent.
///
/// {@snippet file="dev/arenakit/Snippets.java" region="budget"}
///
/// **What is counted.** An arena from [#wrap] counts the size of each allocation, at least one byte, and the alignment
/// too if it is above 16, until the arena is closed. A [pool][dev.arenakit.SlabPool.Builder#budget] counts what it
/// reserves from its native allocator: whole slabs, used or idle, and large blocks. A
/// [MallocArena][dev.arenakit.MallocArena.Builder#budget] counts each native block until it is freed, and a
/// [FreeListArena][dev.arenakit.FreeListArena.Builder#budget] its ranges and large blocks. Memory that a program maps or
/// reinterprets itself is not counted.
///
/// **Disk.** A budget has a second limit, for disk space, which the
/// files of reserved images count. Without it, disk space is counted and not limited.
///
/// **Lifetime.** A budget is closed after everything that uses it; a parent keeps a reference to a child until the
/// child is closed. Closing a budget frees nothing.
///
/// **Threads.** A budget may be used by any number of threads. An allocation that is refused is counted for a moment,
/// so that another one may be refused at the same moment although it would fit.
///
/// **Errors.** Bytes are reserved before memory is allocated, and released after it was freed. A [StackOverflowError]
/// or an [OutOfMemoryError] of the Java heap between two steps may leave bytes reserved for good; memory that is
/// allocated is always counted. If such an Error ends the close of an arena, its bytes stay reserved.
///
/// **Cost.** An allocation or a release costs an atomic operation for each budget from this one to the root. An
/// allocation that a slab of a pool holds costs nothing.
public sealed interface MemoryBudget extends AutoCloseable permits Budget {
    /// Creates a budget without a parent and without a limit of disk space.
    ///
    /// @param name        a name for messages and statistics
    /// @param maxByteSize the limit of memory in bytes
    /// @return the budget
    /// @throws IllegalArgumentException if the name is blank or the limit is negative
    static MemoryBudget root(String name, long maxByteSize) {
        return root(name, maxByteSize, Long.MAX_VALUE);
    }

    /// Creates a budget without a parent.
    ///
    /// @param name            a name for messages and statistics
    /// @param maxByteSize     the limit of memory in bytes
    /// @param maxDiskByteSize the limit of disk space in bytes
    /// @return the budget
    /// @throws IllegalArgumentException if the name is blank or a limit is negative
    static MemoryBudget root(String name, long maxByteSize, long maxDiskByteSize) {
        return Budget.root(name, maxByteSize, maxDiskByteSize);
    }

    /// Creates a budget below this one, without a limit of disk space of its own.
    ///
    /// @param name        a name for messages and statistics; it need not be unique
    /// @param maxByteSize the limit of memory in bytes
    /// @return the budget
    /// @throws IllegalArgumentException if the name is blank or the limit is negative
    /// @throws IllegalStateException    if this budget is closed
    default MemoryBudget child(String name, long maxByteSize) {
        return child(name, maxByteSize, Long.MAX_VALUE);
    }

    /// Creates a budget below this one.
    ///
    /// @param name            a name for messages and statistics; it need not be unique
    /// @param maxByteSize     the limit of memory in bytes
    /// @param maxDiskByteSize the limit of disk space in bytes
    /// @return the budget
    /// @throws IllegalArgumentException if the name is blank or a limit is negative
    /// @throws IllegalStateException    if this budget is closed
    MemoryBudget child(String name, long maxByteSize, long maxDiskByteSize);

    /// Returns an arena that allocates from the given one and counts each allocation on this budget.
    ///
    /// If [#close()] of this budget is to say where the arena was opened, wrap it by [LeakDetector#wrap] first, or set the
    /// system property of [LeakDetector].
    ///
    /// The returned arena has the scope, the threads, the alignments and the contents of the given one. Allocate from it
    /// alone, and close it instead of the given one: allocations that pass it by are not counted. If the given arena is
    /// closed directly, the bytes stay reserved until the returned arena is closed too, which then throws what the
    /// given arena throws.
    ///
    /// @param arena an arena that can be closed
    /// @return the arena that counts; it is no [dev.arenakit.BlockAllocator]
    /// @throws IllegalArgumentException if the arena is automatic or global, and so never closed
    /// @throws IllegalStateException    if this budget is closed
    Arena wrap(Arena arena);

    /// {@return the current statistics of the budget} The values are exact if no other thread uses the budget at the
    /// same time, and approximate otherwise.
    BudgetStatistics stats();

    /// Closes the budget, which then refuses arenas, pools and children. If it is already closed, this method does
    /// nothing.
    ///
    /// @throws IllegalStateException if arenas, pools or children are open, or bytes are reserved; the message says
    ///                               what, and where wrapped arenas that are watched for leaks were opened, and nothing
    ///                               has changed
    @Override
    void close();
}
