package dev.arenakit.dependencies.planted.tool;

/// A second class in the root package.
public final class Helper {
    private Helper() {}
}
