package dev.arenakit.internal.freelist;

/// Two cache lines before the fields of [Stacks].
///
/// A thread writes the mark of its stacks in each allocation, and what other threads read may be next to it on the
/// heap. Without the padding, a pair of two threads takes 16 ns in one process and 57 ns in the next.
///
/// HotSpot lays out the fields of a superclass before those of a subclass. It may fill a gap in a superclass with a
/// field of a subclass, but not with a `long`, which the mark therefore is.
abstract class StacksPadding {
    @SuppressWarnings("unused")
    private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
}
