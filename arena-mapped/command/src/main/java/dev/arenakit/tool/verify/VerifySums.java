package dev.arenakit.tool.verify;

/// The results for an image.
///
/// @param problems the number of problems, without notes
/// @param hasData  whether the contents of sealed allocations were read
/// @param compared the number of allocations that were compared with their seals
/// @param unsealed the number of live allocations without a seal
record VerifySums(long problems, boolean hasData, long compared, long unsealed) {}
