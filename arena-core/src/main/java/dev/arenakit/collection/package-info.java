/// Lists, maps and sets in off-heap memory, over any [java.lang.foreign.SegmentAllocator].
///
/// **Errors.** A failure of the allocator leaves a structure unchanged, including its [OutOfMemoryError] for native
/// memory. Another Error in an operation, such as a [StackOverflowError] or an `OutOfMemoryError` of the Java heap, can
/// interrupt a change. Then the structure never gives a wrong answer: the change was made, or not, or each later
/// operation that could be wrong throws an [IllegalStateException]. The contents of such a structure are lost: close it,
/// and create a new one. An interrupted operation may leave memory allocated until the end of its allocator's lifetime.
@NullMarked
package dev.arenakit.collection;

import org.jspecify.annotations.NullMarked;
