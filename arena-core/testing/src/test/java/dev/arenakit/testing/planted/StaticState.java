package dev.arenakit.testing.planted;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Static mutable state.
public final class StaticState {
    private StaticState() {}

    /// Has a field that can be set.
    public static final class Counter {
        static int count;

        private Counter() {}
    }

    /// Has a final field whose value changes.
    public static final class Atomic {
        static final AtomicInteger COUNT = new AtomicInteger();

        private Atomic() {}
    }

    /// Has a map in a field of an interface type.
    public static final class Cache {
        static final Map<String, String> CACHE = new HashMap<>();

        private Cache() {}
    }

    /// Has a concurrent map.
    public static final class ConcurrentCache {
        static final Map<String, String> CACHE = new ConcurrentHashMap<>();

        private ConcurrentCache() {}
    }

    /// Has a list.
    public static final class Registry {
        static final List<String> ALL = new ArrayList<>();

        private Registry() {}
    }

    /// Has a value for each thread.
    public static final class PerThread {
        static final ThreadLocal<String> NAME = ThreadLocal.withInitial(() -> "");

        private PerThread() {}
    }

    /// Has constants, which are allowed.
    public static final class Constants {
        static final List<String> NAMES = List.of("a", "b");
        static final long SIZE = Long.parseLong("1");

        private Constants() {}
    }
}
