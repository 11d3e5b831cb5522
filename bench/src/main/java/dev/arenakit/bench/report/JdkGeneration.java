package dev.arenakit.bench.report;

/// A generation of JDKs, whose confined arenas get small blocks from the same source.
public enum JdkGeneration {
    /// Every JDK.
    ANY(0, Integer.MAX_VALUE),
    /// The JDKs 25 to 27, whose confined arenas call malloc for each block.
    WITHOUT_POOL(25, 27),
    /// JDK 28 and newer ones, whose confined arenas take small blocks from a pool of their thread.
    WITH_POOL(28, Integer.MAX_VALUE);

    private final int first;
    private final int last;

    JdkGeneration(int first, int last) {
        this.first = first;
        this.last = last;
    }

    /// {@return whether a JDK is of this generation}
    ///
    /// @param feature the feature version of the JDK, such as 25
    boolean contains(int feature) {
        return first <= feature && feature <= last;
    }
}
