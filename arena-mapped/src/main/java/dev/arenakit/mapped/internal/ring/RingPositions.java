package dev.arenakit.mapped.internal.ring;

import dev.arenakit.internal.ring.RingFormat;
import java.util.Optional;

/// The positions of a ring, which processes may be changing. They were read in the order of the components, so that
/// each condition of [#problem] also holds for a ring that is in use.
///
/// @param headCopy    the head that a producer has read last
/// @param earlierHead the head before the tail was read
/// @param head        the head after the tail was read
/// @param skips       the number of claims that readers have skipped
public record RingPositions(long headCopy, long earlierHead, long tail, long head, long skips) {
    /// The size of what was not read, if there is no [#problem].
    public long unreadByteSize() {
        return Math.max(0, tail - head);
    }

    /// What is wrong with the positions of a ring.
    Optional<String> problem(long capacity) {
        boolean isSound = ((headCopy | earlierHead | tail | head) & RingFormat.NO_POSITION) == 0
                && headCopy <= earlierHead
                && earlierHead <= head && earlierHead <= tail && tail - head <= capacity && skips >= 0;
        return isSound
                ? Optional.empty()
                : Optional.of("Positions of a ring are damaged: head=" + head + ", tail=" + tail + ", head copy="
                        + headCopy + ", capacity=" + capacity + ", skipped claims=" + skips);
    }
}
