package dev.arenakit.mapped;

import java.time.Instant;

/// A process that has written an image: the one that made it, or one that reopened it.
///
/// @param pid      the process id
/// @param start    when the process started
/// @param opened   when it opened the image
/// @param jvm      name and version of its JVM
/// @param isClosed whether it closed the image; a process that was killed did not
public record ImageOwner(long pid, Instant start, Instant opened, String jvm, boolean isClosed) {}
