package dev.arenakit.internal.pool.memory;

import dev.arenakit.internal.CacheLinePadding;
import java.lang.invoke.VarHandle;

/// The superclasses of [Slab]: its state, with padding on both sides.
///
/// The state is written whenever a slab is acquired or released, and slabs of several threads may be neighbours on the
/// heap. The padding keeps the state two cache lines away from everything that other threads read: two virtual threads
/// take 22 ns for a session of ten blocks, and up to 60 ns without the padding.
///
/// There is a class for each part for the reasons that [CacheLinePadding] has. The state is a `long` because an `int`
/// would leave a gap next to it, for a field of a subclass.
final class SlabState {
    private SlabState() {}

    /// The state itself.
    abstract static class Padded extends CacheLinePadding {
        private long state;

        /// The state as a number: the id of the owner if the slab is idle and has one, 0 if it is idle and has none,
        /// and otherwise a negative number. A thread finds out by one comparison that it owns the slab, and that the
        /// slab is idle.
        public final long encodedState() {
            long seen = state;
            VarHandle.acquireFence();
            return seen;
        }

        /// Sets the state after all earlier writes of the caller to the slab's memory.
        public final void encodedState(long state) {
            VarHandle.releaseFence();
            this.state = state;
        }
    }

    /// Two cache lines after the state.
    abstract static class PaddingAfter extends Padded {
        @SuppressWarnings("unused")
        private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    }
}
