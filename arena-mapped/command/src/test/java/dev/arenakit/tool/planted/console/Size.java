package dev.arenakit.tool.planted.console;

/// A record, which packages may use that may use the vocabulary of `console`.
public record Size(int columns) {}
