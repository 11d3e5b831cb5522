package dev.arenakit.contract;

/// Sizes and alignments that several tests use, in bytes.
final class ContractSizes {
    static final long KIB = 1L << 10;
    static final long MIB = 1L << 20;

    /// The largest alignment that is really allocated. Alignments above the size of a huge page add nothing to the
    /// tests.
    static final long LARGEST_ALIGNMENT = 2 * MIB;

    /// The largest user space of a supported machine: 2^48 on aarch64, 2^47 on x86-64.
    static final long ADDRESSABLE = 1L << 48;

    /// Sizes around the size classes of allocators, the page and the slab, and sizes too large for a slab.
    static final long[] OF_EVERY_CLASS = {1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129,
            255,
            256, 257, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 16 * KIB - 1, 16 * KIB, 16 * KIB + 1, 64 * KIB - 1,
            64 * KIB, 64 * KIB + 1, 200_000, MIB - 1, MIB, MIB + 1, 3 * MIB + 5};

    private ContractSizes() {}

    /// The alignments that an arena of these capabilities supports, up to [#LARGEST_ALIGNMENT].
    static long[] alignments(Capabilities capabilities) {
        long largest = Math.min(capabilities.largestAlignment(), LARGEST_ALIGNMENT);
        long[] alignments = new long[Long.numberOfTrailingZeros(largest) + 1];
        for (int i = 0; i < alignments.length; i++) {
            alignments[i] = 1L << i;
        }
        return alignments;
    }
}
