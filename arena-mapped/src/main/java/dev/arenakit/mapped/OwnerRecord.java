package dev.arenakit.mapped;

import java.time.Instant;

/// The catalog's record of a process that has created or reopened an image.
///
/// @param pid      the process id
/// @param start    the time at which the process started
/// @param opened   the time at which it created or reopened the image
/// @param jvm      the name and version of its JVM
/// @param isClosed whether the process has closed the image; false if it was killed
public record OwnerRecord(long pid, Instant start, Instant opened, String jvm, boolean isClosed) {}
