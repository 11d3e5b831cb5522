package dev.arenakit.internal.diagnostics.event;

import dev.arenakit.diagnostics.Leak;
import java.util.List;
import java.util.function.Supplier;

/// The events that this library records with the flight recorder.
///
/// A JVM without `jdk.jfr` never loads [JfrEventTypes] and [LeakEvent]. As long as nothing was ever recorded in a JVM,
/// an event costs the check of [#areOn()]. Events are made where memory is acquired from a pool or from the system, and
/// never where a bump pointer advances.
public final class MemoryEvents {
    private static final boolean PRESENT = OptionalModules.canUse("jdk.jfr.Event");

    private MemoryEvents() {}

    /// Loads the classes that [#areOn()] needs: later, there may be no room on the stack or the heap. Whoever makes
    /// events calls this method when a pool or a budget is created.
    public static void initialize() {
        areOn();
    }

    /// Loads the classes of the event of a leak.
    public static void load() {
        if (PRESENT) {
            List<Class<?>> _ = List.of(JfrEventTypes.class, LeakEvent.class);
        }
    }

    /// Whether somebody has started a recording in this JVM. It may have ended, and may leave out some events.
    public static boolean areOn() {
        return PRESENT && JfrEventTypes.areOn();
    }

    /// An arena leaks, or may leak.
    public static void leak(Leak leak) {
        if (areOn()) {
            try {
                LeakEvent.commit(leak);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// An arena is opened, or needs a further slab or a large block. The caller samples.
    ///
    /// @param pool   the name of the pool, or empty
    /// @param weight the bytes for which the sample stands
    /// @return whether a recording has the event
    public static boolean sample(String pool, String kind, long byteSize, long weight) {
        if (areOn()) {
            try {
                return JfrEventTypes.sample(pool, kind, byteSize, weight);
            } catch (LinkageError _) {
                lose();
            }
        }
        return false;
    }

    /// A pool has allocated a slab.
    ///
    /// @param pool    the name of the pool, or empty
    /// @param holders where the open arenas of the pool were opened, as far as that is known
    public static void poolGrown(String pool, long slabByteSize, long heldByteSize, Supplier<String> holders) {
        if (areOn()) {
            try {
                JfrEventTypes.poolGrown(pool, slabByteSize, heldByteSize, holders);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// A pool has freed idle slabs on request.
    public static void poolTrimmed(String pool, long freedByteSize, long heldByteSize) {
        if (areOn()) {
            try {
                JfrEventTypes.poolTrimmed(pool, freedByteSize, heldByteSize);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// A pool has refused memory.
    public static void poolFull(String pool, long maxByteSize, long heldByteSize, long requestedByteSize,
            long openArenas) {
        if (areOn()) {
            try {
                JfrEventTypes.poolFull(pool, maxByteSize, heldByteSize, requestedByteSize, openArenas);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// A budget has refused bytes.
    public static void budgetExceeded(String path, String exceeded, String kind, long limit, long used,
            long requested) {
        if (areOn()) {
            try {
                JfrEventTypes.budgetExceeded(path, exceeded, kind, limit, used, requested);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// An arena has created or reopened its image.
    public static void imageOpened(Object base, boolean reopened) {
        if (areOn()) {
            try {
                JfrEventTypes.imageOpened(base.toString(), reopened);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// Disk space was reserved for a file.
    public static void diskReserved(Object file, long byteSize) {
        if (areOn()) {
            try {
                JfrEventTypes.diskReserved(file.toString(), byteSize);
            } catch (LinkageError _) {
                lose();
            }
        }
    }

    /// Loses an event whose class could not be loaded, because the stack or the heap was exhausted at that moment: no
    /// later use of a pool may fail for it.
    private static void lose() {
        // Nothing is left to be done.
    }
}
