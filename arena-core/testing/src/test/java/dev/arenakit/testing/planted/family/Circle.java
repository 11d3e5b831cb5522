package dev.arenakit.testing.planted.family;

/// The permitted class.
public record Circle() implements Shape {}
