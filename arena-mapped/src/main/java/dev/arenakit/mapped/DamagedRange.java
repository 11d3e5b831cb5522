package dev.arenakit.mapped;

/// A range of an allocation whose bytes differ from its [seal][Seal]. It consists of whole blocks of 1 MiB, except at
/// the end of the allocation: at least one byte of each block differs.
///
/// @param byteOffset the offset in the allocation
/// @param byteSize   the size in bytes
public record DamagedRange(long byteOffset, long byteSize) {
    /// {@return the end of the range in the allocation, exclusive}
    public long end() {
        return byteOffset + byteSize;
    }
}
