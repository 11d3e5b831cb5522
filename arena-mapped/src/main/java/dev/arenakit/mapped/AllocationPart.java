package dev.arenakit.mapped;

import java.io.Serializable;

/// A range of a data file that contains an allocation, or a part of one.
///
/// @param file       the number of the data file, `base-0` and so on
/// @param byteOffset the offset in the data file
/// @param byteSize   the size in bytes, at least 1
public record AllocationPart(int file, long byteOffset, long byteSize) implements Serializable {}
