package dev.arenakit.bench.candidate.peer;

import net.openhft.chronicle.map.ChronicleMapBuilder;

/// Chronicle Map, which opens packages of the JDK and uses one of its internal classes.
public final class ChronicleMaps {
    private ChronicleMaps() {}

    /// Checks that Chronicle Map starts in this JVM.
    ///
    /// @throws UnavailableException if it does not
    public static void requireAvailable() {
        try {
            ChronicleMapBuilder.of(Long.class, Long.class).name("probe").entries(1).create().close();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new UnavailableException("Chronicle Map does not start: it needs the flags of its benchmark, and a "
                    + "JDK that still has its internal classes: " + e);
        }
    }
}
