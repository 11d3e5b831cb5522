package dev.arenakit;

import dev.arenakit.internal.Sizes;

/// The blocks of a [MallocArena] at one moment.
///
/// @param name           the [name][MallocArena.Builder#name] of the arena, empty if it has none
/// @param liveBlocks     the number of blocks that are allocated
/// @param liveByteSize   the sum of their requested sizes, in bytes
/// @param nativeByteSize the memory that the arena has requested from its native allocator for them, in bytes: with
///                       the headers of blocks, and the index of blocks that [MallocArena#free] needs; an
///                       [adopted][MallocArena#adopt] block counts with its size
public record MallocArenaStatistics(String name, long liveBlocks, long liveByteSize, long nativeByteSize) {

    /// {@return the statistics as one sentence}
    @Override
    public String toString() {
        return (name.isEmpty() ? "MallocArena: " : "MallocArena " + name + ": ") + liveBlocks + " live blocks, "
                + Sizes.text(liveByteSize) + " live, "
                + Sizes.text(nativeByteSize) + " native";
    }
}
