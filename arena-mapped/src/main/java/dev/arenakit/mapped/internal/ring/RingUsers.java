package dev.arenakit.mapped.internal.ring;

import java.util.Optional;
import java.util.OptionalInt;

/// The users of a ring in a file. They are not known without native access, or on a file system without locks.
///
/// @param producers the number of producers
/// @param hasReader whether there is a reader
public record RingUsers(OptionalInt producers, Optional<Boolean> hasReader) {
    static final RingUsers UNKNOWN = new RingUsers(OptionalInt.empty(), Optional.empty());
}
