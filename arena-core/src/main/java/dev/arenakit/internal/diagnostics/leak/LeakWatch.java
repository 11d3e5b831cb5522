package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.NotInlined;
import dev.arenakit.internal.diagnostics.event.Warnings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A watched arena: where, when and by whom it was opened, until it is closed.
///
/// It does not refer to the arena. An arena that referred to an object which other threads see would be an object on
/// the heap itself; so a sampled arena of a pool is known by its slab alone.
public final class LeakWatch {
    /// An arena that is open for so long keeps its stack as text, so that it does not keep the classes of the user.
    private static final long LONG_OPEN_NANOS = 1_000_000_000;
    /// The number of places that a message names.
    private static final int MOST_PLACES = 5;

    private static final int OPEN = 0;
    private static final int REPORTED = 1;
    /// Reported, and nobody can close the arena any more.
    private static final int LOST = 2;
    private static final int CLOSED = 3;

    /// The methods above the user's in a stack, besides the methods of internal packages.
    private static final Set<String> OURS = Set.of("dev.arenakit.SlabPool", "dev.arenakit.SlabPools",
            "dev.arenakit.MallocArena", "dev.arenakit.FreeListArena", "dev.arenakit.diagnostics.LeakDetector");

    final long number = LeakRegistry.nextNumber();
    private final String kind;
    private final String name;
    private final boolean confined;
    private final WeakReference<Thread> thread;
    private final String threadName;
    private final long threadId;
    private final long openedNanos;
    private final AtomicLong byteSize;
    private final AtomicInteger state = new AtomicInteger(OPEN);
    /// How the arena is watched, or null if it is only known for messages and events.
    private volatile @Nullable LeakDetection detection;
    /// Has the stack, and refers to the classes in it, until the stack is first needed.
    private volatile @Nullable Throwable opening;
    private volatile List<StackTraceElement> stack = List.of();
    /// The scope of an arena whose reachability is watched. Its cleanups may refer to anything.
    private volatile @Nullable WeakReference<MemorySegment.Scope> scope;
    private volatile @Nullable Reference<?> followed;
    private volatile boolean unreachable;
    /// Releases the memory of an arena that is lost, or null.
    private volatile @Nullable Runnable reclaim;

    /// Describes an arena that the current thread opens.
    ///
    /// @param detection how the arena is watched, or null if it is only known for messages and events
    /// @param kind      what the arena is
    /// @param name      the name of the arena or of its pool, or empty
    /// @param confined  whether only this thread can close it
    /// @param byteSize  the memory that it holds, or -1 if that is unknown
    public LeakWatch(@Nullable LeakDetection detection, String kind, String name, boolean confined, long byteSize) {
        this.detection = detection;
        this.kind = kind;
        this.name = name;
        this.confined = confined;
        this.byteSize = new AtomicLong(byteSize);
        openedNanos = System.nanoTime();
        Thread current = Thread.currentThread();
        thread = new WeakReference<>(current);
        threadName = current.getName();
        threadId = current.threadId();
        opening = new Throwable();
        LeakRegistry.opened(openedNanos, System.nanoTime());
    }

    /// Loads this class.
    public static void load() {}

    /// Describes an arena that the current thread opens, if it is sampled.
    public static @Nullable LeakWatch sampled(@Nullable LeakDetection detection, String kind, String name,
            boolean confined, long byteSize) {
        if (detection == null) {
            return null;
        }
        if (detection.level() == LeakDetection.Level.SAMPLED && !LeakSampling.isSampled()) {
            return null;
        }
        return opened(NotInlined.CALLS, detection, kind, name, confined, byteSize);
    }

    private static LeakWatch opened(int calls, LeakDetection detection, String kind, String name, boolean confined,
            long byteSize) {
        return calls > 0
                ? opened(calls - 1, detection, kind, name, confined, byteSize)
                : new LeakWatch(detection, kind, name, confined, byteSize);
    }

    /// Calls [#register()], for methods that C2 must still inline.
    public static void register(int calls, LeakWatch open) {
        if (calls > 0) {
            register(calls - 1, open);
            return;
        }
        open.register();
    }

    /// Calls [#closed()] if an arena is watched, for methods that C2 must still inline.
    public static void closed(int calls, @Nullable LeakWatch open) {
        if (open == null) {
            return;
        }
        if (calls > 0) {
            closed(calls - 1, open);
            return;
        }
        open.closed();
    }

    /// Watches the arena from now on, until [#closed()].
    public void register() {
        if (detection != null) {
            LeakRegistry.add(this);
        }
    }

    /// Watches, too, whether the arena is reachable.
    public void follow(Arena arena) {
        scope = new WeakReference<>(arena.scope());
        followed = LeakRegistry.follow(arena, this);
    }

    /// Watches whether the referent, which has the arena's memory, is reachable, and calls an action after it has
    /// become unreachable.
    public void follow(Object referent, @Nullable Runnable reclaim) {
        this.reclaim = reclaim;
        followed = LeakRegistry.follow(referent, this);
    }

    /// Describes what takes over the memory of this arena, on behalf of the current thread. The watch of this arena
    /// must be ended, and the other one registered.
    public LeakWatch successor(String kind, boolean confined) {
        return new LeakWatch(detection, kind, name, confined, byteSize.get());
    }

    /// Ends the watch: the arena has been closed.
    public void closed() {
        state.set(CLOSED);
        LeakRegistry.remove(this);
        Reference<?> reference = followed;
        if (reference != null) {
            reference.clear();
        }
    }

    /// Adds to the size of the memory that the arena holds.
    public void add(long byteSize) {
        this.byteSize.addAndGet(byteSize);
    }

    /// Whether the arena is open. If it has been closed, but not through the object that is watched, the watch ends.
    boolean isOpen() {
        WeakReference<MemorySegment.Scope> reference = scope;
        MemorySegment.Scope scope = reference == null ? null : reference.get();
        if (scope != null && !scope.isAlive()) {
            closed();
        }
        return !isClosed();
    }

    private boolean isClosed() {
        return state.get() == CLOSED;
    }

    /// The garbage collector has found that the arena is unreachable. The next check reports it.
    void setUnreachable() {
        unreachable = true;
    }

    /// Reports the arena, unless it was reported before or has been closed.
    public void report(Leak.Reason reason) {
        LeakDetection detection = this.detection;
        if (state.get() != OPEN || detection == null) {
            return;
        }
        // First: if there is no heap memory for the description, a later call makes the report.
        Leak leak = describe(reason);
        Consumer<Leak> listener = detection.listener();
        if (state.compareAndSet(OPEN, REPORTED)) {
            LeakReporter.report(leak, listener);
            // Last: whoever sees the number may end the program.
            LeakRegistry.reported();
        }
    }

    /// Reports the arena if it is unreachable, if its thread has terminated, or if it has been open for too long.
    ///
    /// @return whether it is lost since this call: it stays open, and nobody can close it any more
    boolean check(long nanos) {
        // First: if the arena was closed by its thread, that is visible after the thread has terminated.
        boolean left = confined && hasEnded(thread.get());
        if (!isOpen() || state.get() == LOST) {
            return false;
        }
        if (unreachable || left) {
            report(unreachable ? Leak.Reason.UNREACHABLE : Leak.Reason.THREAD_ENDED);
            return lose();
        }
        LeakDetection detection = this.detection;
        if (detection != null && age(nanos).compareTo(detection.longestOpen()) > 0) {
            report(Leak.Reason.OPEN_TOO_LONG);
        }
        if (nanos - openedNanos > LONG_OPEN_NANOS) {
            usersStack();
        }
        return false;
    }

    /// Whether the arena stays open, and nobody can close it any more.
    boolean isLost() {
        return state.get() == LOST;
    }

    private boolean lose() {
        if (!state.compareAndSet(REPORTED, LOST)) {
            return false;
        }
        Runnable action = reclaim;
        if (action == null) {
            forget();
            return true;
        }
        closed();
        try {
            action.run();
        } catch (Throwable t) {
            Warnings.ofLeaks("The memory of an arena that was lost could not be released", t);
        }
        return false;
    }

    /// Drops all references to objects of the user: a lost arena is listed for good, and must not keep a class loader.
    private void forget() {
        detection = LeakDetection.ALL;
        scope = null;
        followed = null;
    }

    private static boolean hasEnded(@Nullable Thread thread) {
        return thread == null || !thread.isAlive();
    }

    private Duration age(long nanos) {
        return Duration.ofNanos(nanos - openedNanos);
    }

    Leak describe(Leak.Reason reason) {
        return new Leak(reason, number, kind, name, threadName, threadId, age(System.nanoTime()), byteSize.get(),
                usersStack());
    }

    /// {@return who opened the arena and where, on one line}
    @Override
    public String toString() {
        return threadName + "#" + threadId + place();
    }

    private String place() {
        List<StackTraceElement> stack = usersStack();
        return stack.isEmpty() ? "" : " at " + stack.getFirst();
    }

    /// Who opened some arenas and where, as a part of a message. Of the arenas of one place, the text has the oldest
    /// and the number. The places with most arenas come first, and the text has a few of them.
    public static String places(Collection<LeakWatch> arenas) {
        List<List<LeakWatch>> places = arenas.stream()
                .sorted(Comparator.comparingLong(arena -> arena.number))
                .collect(Collectors.groupingBy(LeakWatch::place, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt(place -> -place.size()))
                .toList();
        String text = places.stream()
                .limit(MOST_PLACES)
                .map(place -> place.getFirst() + (place.size() == 1 ? "" : " (" + place.size() + " arenas)"))
                .collect(Collectors.joining(", "));
        int more = places.size() - MOST_PLACES;
        return "[" + text + (more > 0 ? ", ... (" + more + " more places)" : "") + "]";
    }

    /// The oldest of some arenas, as a part of a message, or nothing if there are none.
    public static String oldest(List<LeakWatch> arenas) {
        return arenas.stream()
                .min(Comparator.comparingLong(arena -> arena.number))
                .map(arena -> ", oldestWatched=" + arena + ", open for " + arena.age(System.nanoTime()).toMillis()
                        + " ms")
                .orElse("");
    }

    private List<StackTraceElement> usersStack() {
        Throwable opening = this.opening;
        if (opening != null) {
            StackTraceElement[] all = opening.getStackTrace();
            int first = 0;
            while (first < all.length && isOurs(all[first].getClassName())) {
                first++;
            }
            stack = List.of(all).subList(first, all.length);
            this.opening = null;
        }
        return stack;
    }

    private static boolean isOurs(String className) {
        int nested = className.indexOf('$');
        return className.startsWith("dev.arenakit.internal.")
                || OURS.contains(nested < 0 ? className : className.substring(0, nested));
    }
}
