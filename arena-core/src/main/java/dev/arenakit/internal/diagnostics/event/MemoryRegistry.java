package dev.arenakit.internal.diagnostics.event;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The pools, budgets, images and other sources of statistics of this process.
///
/// The registry is static because its user asks about the whole process. It refers to each source weakly: a source that
/// the program has lost disappears.
public final class MemoryRegistry {
    private static final Set<Entry> ENTRIES = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Source> LOST = new ReferenceQueue<>();
    private static final AtomicLong ADDED = new AtomicLong();

    private MemoryRegistry() {}

    /// What has statistics.
    public interface Source {
        /// Returns the statistics, each a record of a public package. Any thread may call this method.
        List<? extends Record> statistics();

        /// The name of the pool that this source is, or empty.
        default String poolName() {
            return "";
        }
    }

    /// Adds a source.
    ///
    /// @return an entry, which is removed when the source is closed
    public static Entry add(Source source) {
        for (Object lost = LOST.poll(); lost != null; lost = LOST.poll()) {
            // MemoryMXBeans removes an entry with a bean: the caller may hold a lock here.
            if (lost instanceof Entry entry && entry.bean == null) {
                entry.remove();
            }
        }
        Entry entry = new Entry(source);
        ENTRIES.add(entry);
        return entry;
    }

    /// Returns the statistics of one class, from the oldest source to the newest.
    public static <S extends Record> List<S> statistics(Class<S> type) {
        return entries().stream()
                .flatMap(entry -> entry.read().stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /// Returns the entries, from the oldest to the newest.
    static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>(ENTRIES);
        entries.sort(Comparator.comparingLong(entry -> entry.number));
        return entries;
    }

    /// The place of a source in the registry.
    public static final class Entry extends WeakReference<Source> {
        private final long number = ADDED.incrementAndGet();
        /// The name of the management bean of the source, or null. [MemoryMXBeans] changes it under its lock.
        volatile @Nullable String bean;
        /// Whether the source is to have no bean any more; guarded by that lock.
        boolean ended;

        private Entry(Source source) {
            super(source, LOST);
        }

        /// Removes the source.
        public void remove() {
            ENTRIES.remove(this);
        }

        List<? extends Record> read() {
            Source source = get();
            return source == null ? List.of() : source.statistics();
        }
    }
}
