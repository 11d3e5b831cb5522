package dev.arenakit.diagnostics;

import dev.arenakit.internal.Sizes;

/// The files of an open arena that has an image.
///
/// @param base         the path of the files without their numbers
/// @param mappings     the number of data files that are mapped
/// @param diskByteSize the disk space that the arena has reserved since it was opened, in bytes; 0 unless the arena is
///                     reserved, or has structures that reserve their space
public record ImageStatistics(String base, long mappings, long diskByteSize) {

    /// {@return the statistics as one sentence}
    @Override
    public String toString() {
        return "Image " + base + ": " + mappings + " data files mapped, " + Sizes.text(diskByteSize) + " reserved";
    }
}
