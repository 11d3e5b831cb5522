package dev.arenakit.internal.ring;

import org.jspecify.annotations.Nullable;

/// What a process does with a ring.
///
/// @param producer the number of the producer, which its claims name; 0 if nobody can find out whether it is alive
/// @param intent   the offset of a word of the producer: it has the position that the producer is about to claim, and
///                 [#NONE] before and afterwards; 0 if there is no such word
/// @param place    throws an [IllegalStateException] if the ring is no longer where other processes find it, or null
/// @param rescue   finds claims whose producers are dead, or null
/// @param refused  the use that is refused, or null
public record RingRole(int producer, long intent, @Nullable Runnable place, @Nullable Rescue rescue,
        @Nullable Kind refused) {
    /// No claim is about to be made.
    public static final long NONE = -1;

    /// Producers and reader are threads of one process.
    public static final RingRole ANY = new RingRole(0, 0, null, null, null);

    /// The two uses of a ring.
    public enum Kind {
        CLAIM, POLL
    }

    /// Claims and does not poll.
    public static RingRole producer(int producer, long intent, Runnable place) {
        return new RingRole(producer, intent, place, null, Kind.POLL);
    }

    /// Polls and does not claim.
    public static RingRole reader(Rescue rescue) {
        return new RingRole(0, 0, null, rescue, Kind.CLAIM);
    }

    void check(Kind kind) {
        if (kind == refused) {
            throw new IllegalStateException(kind == Kind.POLL
                    ? "Ring was opened by a producer, and cannot be polled; the reader of the file polls it"
                    : "Ring was opened by the reader, and takes no messages; a producer of the file claims space");
        }
    }

    /// Finds claims whose producers are dead. It is asked when the reader cannot read the next claim.
    public interface Rescue {
        /// Whether the next claim has kept the reader waiting for so long that its producer may be dead. It is asked at each
        /// poll that finds no message, before the reader reads what producers write.
        ///
        /// @param position the position of the next claim, if there is one
        boolean isOverdue(long position);

        /// Whether a producer is dead.
        ///
        /// @param producer the number that its claim has named
        boolean isDead(int producer);

        /// Finds the end of a claim whose producer has moved the tail of the ring, and has not written anything yet.
        ///
        /// @return the position of the next claim that a living producer may be about to make; the given position if the
        ///         producer of the claim may be alive
        long endOfGap(long position);
    }
}
