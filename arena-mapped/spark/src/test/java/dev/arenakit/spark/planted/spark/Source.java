package dev.arenakit.spark.planted.spark;

import dev.arenakit.spark.planted.spark.internal.Provider;

/// Uses a class that needs a newer JDK than the registered class.
public final class Source {
    private Source() {}

    /// {@return the other class}
    public static Class<?> other() {
        return Provider.class;
    }
}
