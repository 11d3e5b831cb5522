package dev.arenakit.mapped;

import java.util.Optional;

/// Something about an image that is not as it should be.
///
/// @param description what it is, with the values
/// @param allocation  which allocation it is about, or empty where it is about the image
public record ImageProblem(String description, Optional<Allocation> allocation) {}
