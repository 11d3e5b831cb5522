package dev.arenakit.tool;

import java.io.IOException;

/// Shows what has been seen of an image.
interface WatchView {
    /// How many of the allocations that grow most are wanted.
    int most();

    /// Shows a sample.
    ///
    /// @param before the one before, or the same where it is the first
    void show(Sample now, Sample before) throws IOException;

    /// A change in a second, with its sign: `+1.5 MiB/s`.
    static String perSecond(double byteSize) {
        return sign(byteSize) + ByteSizes.format(Math.round(Math.abs(byteSize))) + "/s";
    }

    /// A change in a second of something that is counted: `+12/s`.
    static String countPerSecond(double count) {
        return sign(count) + ByteSizes.grouped(Math.round(Math.abs(count))) + "/s";
    }

    /// What is on disk, where that is known.
    static String stored(Sample sample) {
        return sample.stored() < 0 ? "?" : ByteSizes.format(sample.stored());
    }

    private static String sign(double number) {
        return number < 0 ? "-" : "+";
    }
}
