package dev.arenakit.mapped.internal.arena;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A small cache of values that are derived from immutable objects. Objects are compared by identity: computing the
/// hash code of a type takes longer than a whole allocation. Thread-safe.
final class IdentityCache<K, V> {
    /* A key is stored in one of the slots from its identity hash code on. If all of these slots have other keys, the
     * new key replaces the first one, so that a program with ever new keys keeps few of them alive. Two threads may
     * overwrite each other's entries: then a value is computed once more. Entries are immutable and need no order of
     * memory. */

    /// The number of slots is several times the number of types that a program uses often, so that types seldom share
    /// slots.
    private static final int SLOTS = 256;
    private static final int TRIES = 4;

    private final AtomicReferenceArray<@Nullable Entry<K, V>> entries = new AtomicReferenceArray<>(SLOTS);

    private record Entry<K, V>(K key, V value) {}

    /// Returns the value of a key. It is computed if it is not in the cache.
    @SuppressWarnings("ReferenceEquality") // Keys are compared by identity.
    V get(K key, Function<? super K, ? extends V> compute) {
        int home = System.identityHashCode(key);
        for (int i = 0; i < TRIES; i++) {
            Entry<K, V> entry = entries.getPlain((home + i) & (SLOTS - 1));
            if (entry == null) {
                return add(key, compute, home + i);
            }
            if (entry.key == key) {
                return entry.value;
            }
        }
        return add(key, compute, home);
    }

    private V add(K key, Function<? super K, ? extends V> compute, int slot) {
        V value = compute.apply(key);
        entries.setPlain(slot & (SLOTS - 1), new Entry<>(key, value));
        return value;
    }
}
