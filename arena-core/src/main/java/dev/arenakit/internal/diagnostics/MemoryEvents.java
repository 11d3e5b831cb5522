package dev.arenakit.internal.diagnostics;

/// The events that this library records with the flight recorder.
///
/// A JVM without `jdk.jfr` never loads [FlightEvents]. As long as nothing was ever recorded in a JVM, an event costs
/// the check of [#areOn()]. Events are made where memory is acquired from a pool or from the system, and never where a
/// bump pointer advances.
public final class MemoryEvents {
    private static final boolean PRESENT = OptionalModules.canUse("jdk.jfr.Event");

    private MemoryEvents() {}

    /// Whether somebody has started a recording in this JVM. It may have ended, and may leave out some events.
    public static boolean areOn() {
        return PRESENT && FlightEvents.areOn();
    }

    /// An arena needs a further slab, or a large block. The caller samples.
    ///
    /// @param weight the bytes since the last sample
    public static void sample(String kind, long byteSize, long weight) {
        if (areOn()) {
            FlightEvents.sample(kind, byteSize, weight);
        }
    }

    /// A pool has allocated a slab.
    public static void poolGrown(long slabByteSize, long heldByteSize) {
        if (areOn()) {
            FlightEvents.poolGrown(slabByteSize, heldByteSize);
        }
    }

    /// A pool has freed idle slabs on request.
    public static void poolTrimmed(long freedByteSize, long heldByteSize) {
        if (areOn()) {
            FlightEvents.poolTrimmed(freedByteSize, heldByteSize);
        }
    }

    /// A pool has refused memory.
    public static void poolFull(long maxByteSize, long heldByteSize, long requestedByteSize, long openArenas) {
        if (areOn()) {
            FlightEvents.poolFull(maxByteSize, heldByteSize, requestedByteSize, openArenas);
        }
    }

    /// A budget has refused bytes.
    public static void budgetExceeded(String path, String exceeded, String kind, long limit, long used,
            long requested) {
        if (areOn()) {
            FlightEvents.budgetExceeded(path, exceeded, kind, limit, used, requested);
        }
    }

    /// An arena has created or reopened its image.
    public static void imageOpened(Object base, boolean reopened) {
        if (areOn()) {
            FlightEvents.imageOpened(base.toString(), reopened);
        }
    }

    /// Disk space was reserved for a file.
    public static void diskReserved(Object file, long byteSize) {
        if (areOn()) {
            FlightEvents.diskReserved(file.toString(), byteSize);
        }
    }
}
