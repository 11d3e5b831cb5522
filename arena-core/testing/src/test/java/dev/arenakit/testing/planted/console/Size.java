package dev.arenakit.testing.planted.console;

/// A record, which is vocabulary.
public record Size(int columns) {}
