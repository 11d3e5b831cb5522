package dev.arenakit.mapped;

/// Arena over sparse files.
public final class InfiniteArena {
    private InfiniteArena() {}
}
