package dev.arenakit.mapped;

import java.util.Optional;

/// A problem of an image, such as a damaged record or a truncated data file.
///
/// @param description the problem with the values involved
/// @param allocation  the allocation that has the problem, or empty for a problem of the image
/// @param isNote      whether nothing is lost: a process that ends without closing the image leaves such traces, for
///                    example a record that was reserved and not written
public record ImageProblem(String description, Optional<Allocation> allocation, boolean isNote) {}
