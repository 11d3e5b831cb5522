package dev.arenakit.mapped;

/// A change that [ArenaImage#repair] has made in the copy of a damaged image.
///
/// @param description the damage and the repair, with the values involved
/// @param isLoss      whether records or data that the image once had are not in the copy
public record ImageRepair(String description, boolean isLoss) {}
