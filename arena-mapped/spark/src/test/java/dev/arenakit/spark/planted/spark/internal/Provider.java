package dev.arenakit.spark.planted.spark.internal;

/// A class that needs a newer JDK.
public final class Provider {
    private Provider() {}
}
