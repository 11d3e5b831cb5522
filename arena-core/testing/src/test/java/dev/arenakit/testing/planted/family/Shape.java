package dev.arenakit.testing.planted.family;

/// A sealed type that uses its permitted class.
public sealed interface Shape permits Circle {
    /// {@return a circle}
    static Shape circle() {
        return new Circle();
    }
}
