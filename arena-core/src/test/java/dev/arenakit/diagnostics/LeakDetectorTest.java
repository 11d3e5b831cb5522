package dev.arenakit.diagnostics;

import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Takes some seconds: most tests wait for the garbage collector.
class LeakDetectorTest {
    private final FoundLeaks found = new FoundLeaks();
    private final LeakDetection all = LeakDetection.ALL.listener(found::add);

    @Test
    void wrap_droppedWithoutClose_isReportedOnceWithStackThreadAgeAndSize() {
        FoundLeaks.drop(all);
        assertThat(found.await(1)).singleElement().satisfies(leak -> {
            assertThat(leak.reason()).isEqualTo(Leak.Reason.UNREACHABLE);
            assertThat(leak.byteSize()).isEqualTo(100);
            assertThat(leak.threadId()).isEqualTo(Thread.currentThread().threadId());
            assertThat(leak.threadName()).isEqualTo(Thread.currentThread().getName());
            assertThat(leak.age()).isPositive();
            assertThat(leak.stack().getFirst()).satisfies(top -> {
                assertThat(top.getClassName()).isEqualTo(FoundLeaks.class.getName());
                assertThat(top.getMethodName()).isEqualTo("drop");
            });
            assertThat(leak.toString()).startsWith("Arena is unreachable and was not closed: arena=")
                    .contains("byteSize=100; close it", "\tat ");
        });
        assertThat(found.settle()).hasSize(1);
    }

    @Test
    @Tag("full")
    void wrap_whoseArenaIsClosedInstead_isNotReported() {
        try (Arena arena = Arena.ofConfined()) {
            LeakDetector.wrap(arena, all);
            // The arena is reachable, and can be closed.
            assertThat(found.settle()).isEmpty();
        }
        assertThat(found.settle()).isEmpty();
    }

    @Test
    void wrap_closeThatFails_leavesTheArenaWatched() {
        Arena arena = LeakDetector.wrap(Arena.ofConfined(), all);
        assertThat(Threads.thrownBy(arena::close)).isInstanceOf(WrongThreadException.class);
        assertThat(numbers(LeakDetector.open())).isNotEmpty();
        int open = LeakDetector.open().size();
        arena.close();
        assertThat(LeakDetector.open()).hasSize(open - 1);
    }

    @Test
    void wrap_whoseSegmentIsInUse_isReportedAndKeepsItsMemory() {
        MemorySegment segment = LeakDetector.wrap(Arena.ofConfined(), all).allocate(8);
        segment.set(ValueLayout.JAVA_LONG, 0, 42);
        assertThat(found.await(1)).hasSize(1);
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }

    @Test
    void wrap_ofArenaThatCannotBeClosed_returnsIt() {
        Arena automatic = Arena.ofAuto();
        assertThat(LeakDetector.wrap(automatic, all)).isSameAs(automatic);
        assertThat(LeakDetector.wrap(Arena.global(), all)).isSameAs(Arena.global());
        assertThat(LeakDetector.wrap(automatic, all.reclaimLeaked(true))).isSameAs(automatic);
    }

    @Test
    void wrap_ofClosedArena_throws() {
        Arena arena = Arena.ofConfined();
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> LeakDetector.wrap(arena)).withMessage("Already closed");
    }

    @Test
    void wrap_sampled_watchesOneOf128() {
        long wrapped = 0;
        for (int i = 0; i < 12_800; i++) {
            try (Arena arena = Arena.ofConfined()) {
                wrapped += LeakDetector.wrap(arena, LeakDetection.SAMPLED).equals(arena) ? 0 : 1;
            }
        }
        // Ten standard deviations.
        assertThat(wrapped).isBetween(1L, 200L);
    }

    @Test
    void check_ofConfinedArenaWhoseThreadHasEnded_reportsIt() {
        Arena[] arenas = new Arena[2];
        assertThat(Threads.thrownBy(() -> {
            arenas[0] = LeakDetector.wrap(Arena.ofConfined(), all);
            arenas[1] = LeakDetector.wrap(Arena.ofShared(), all);
        })).isNull();
        try {
            assertThat(found.await(1)).singleElement()
                    .extracting(Leak::reason)
                    .isEqualTo(Leak.Reason.THREAD_ENDED);
            arenas[1].close();
            assertThat(found.settle()).hasSize(1);
        } finally {
            Reference.reachabilityFence(arenas);
        }
    }

    @Test
    void check_ofArenaThatItsThreadHasClosedItself_reportsNothing() {
        Arena[] arenas = new Arena[1];
        assertThat(Threads.thrownBy(() -> {
            try (Arena arena = Arena.ofConfined()) {
                arenas[0] = LeakDetector.wrap(arena, all.longestOpen(Duration.ZERO));
            }
        })).isNull();
        try {
            assertThat(found.settle()).isEmpty();
        } finally {
            Reference.reachabilityFence(arenas);
        }
    }

    @Test
    void check_ofArenaOpenForTooLong_reportsItOnce() {
        try (Arena _ = LeakDetector.wrap(Arena.ofConfined(), all.longestOpen(Duration.ofDays(1)));
                Arena _ = LeakDetector.wrap(Arena.ofConfined(), all.longestOpen(Duration.ZERO))) {
            found.await(1);
            LeakDetector.check();
            assertThat(found.all()).singleElement()
                    .extracting(Leak::reason)
                    .isEqualTo(Leak.Reason.OPEN_TOO_LONG);
        }
    }

    /// In a JVM of its own: other tests look for lost arenas in the list.
    @Test
    @Tag("full")
    void check_ofArenasThatWereOpenTooLongAndAreLost_listsAThousand() {
        assertThat(ChildJvm.onClassPath("-Djava.util.logging.config.file=none").run(TooLong.class).output())
                .endsWith("reported 1200, listed 1000\n");
    }

    /// Loses arenas that were reported because they are open for too long.
    static final class TooLong {
        private static final int ARENAS = 1_200;

        public static void main(String[] args) {
            FoundLeaks found = new FoundLeaks();
            openForTooLong(found);
            FoundLeaks.collectUntil(() -> LeakDetector.open().size() < ARENAS);
            found.settle();
            // The detector's own thread may have counted an arena, and not removed it yet.
            FoundLeaks.collectUntil(() -> LeakDetector.open().size() <= 1_000);
            System.out.println("reported " + found.all().size() + ", listed " + LeakDetector.open().size());
        }

        /// A method of its own, so that nothing refers to the arenas afterwards.
        private static void openForTooLong(FoundLeaks found) {
            LeakDetection detection = LeakDetection.ALL.longestOpen(Duration.ZERO).listener(found::add);
            List<Arena> arenas = Stream.generate(() -> LeakDetector.wrap(Arena.ofConfined(), detection))
                    .limit(ARENAS)
                    .toList();
            try {
                found.await(ARENAS);
            } finally {
                Reference.reachabilityFence(arenas);
            }
        }
    }

    @Test
    @Tag("full")
    void check_ofALineThatLeaksInALoop_logsItAtGrowingDistances() {
        String output = ChildJvm.onClassPath("--limit-modules=java.base").run(InALoop.class).output();
        assertThat(output).endsWith("told 1001\n");
        assertThat(output.lines().filter(line -> line.contains("Thread has ended without closing its arena")))
                .hasSize(5);
        assertThat(output.lines().filter(line -> line.startsWith("Leaks with this stack: "))).containsExactly(
                "Leaks with this stack: leaks=10, nextLogged=100",
                "Leaks with this stack: leaks=100, nextLogged=1000",
                "Leaks with this stack: leaks=1000, nextLogged=10000");
        assertThat(output).contains("InALoop.other(LeakDetectorTest.java:");
    }

    /// Leaks a thousand arenas at one place, and one at another.
    static final class InALoop {
        private InALoop() {}

        public static void main(String[] args) {
            AtomicInteger told = new AtomicInteger();
            LeakDetection detection = LeakDetection.ALL.listener(_ -> told.incrementAndGet());
            // The arenas stay reachable, so that all of them have the same reason.
            List<Arena> arenas = new ArrayList<>();
            assertThat(Threads.thrownBy(() -> {
                for (int i = 0; i < 1_000; i++) {
                    arenas.add(LeakDetector.wrap(Arena.ofConfined(), detection));
                }
                arenas.add(other(detection));
            })).isNull();
            try {
                // The detector's own thread may be reporting some of them.
                while (told.get() < arenas.size()) {
                    LeakDetector.check();
                }
                System.out.println("told " + told);
            } finally {
                Reference.reachabilityFence(arenas);
            }
        }

        private static Arena other(LeakDetection detection) {
            return LeakDetector.wrap(Arena.ofConfined(), detection);
        }
    }

    @Test
    @Tag("full")
    void check_whenTheLoggerThrows_tellsTheListener() {
        assertThat(ChildJvm.onClassPath("--limit-modules=java.base").run(FailingLogger.class).output())
                .isEqualTo("told\n");
    }

    /// Has a logger that throws: without other modules, it is the standard error.
    static final class FailingLogger {
        private FailingLogger() {}

        public static void main(String[] args) {
            System.setErr(new PrintStream(OutputStream.nullOutputStream()) {
                @Override
                public void print(@Nullable String text) {
                    throw new UnsupportedOperationException(text);
                }

                @Override
                public void println(@Nullable String text) {
                    throw new UnsupportedOperationException(text);
                }
            });
            AtomicInteger told = new AtomicInteger();
            try (Arena _ = LeakDetector.wrap(Arena.ofConfined(), LeakDetection.ALL.longestOpen(Duration.ZERO)
                    .listener(_ -> told.incrementAndGet()))) {
                while (told.get() == 0) {
                    LeakDetector.check();
                }
            }
            System.out.println("told");
        }
    }

    /// A lost arena stays in a list, with its stack, but without the classes in it and without the listener.
    @Test
    void open_ofALostArena_keepsNoClassLoader() throws Exception {
        WeakReference<ClassLoader> loader = runByAnotherLoader(Loses.class);
        FoundLeaks.collectUntil(() -> loader.refersTo(null));
        assertThat(LeakDetector.open()).anySatisfy(leak -> assertThat(leak.stack().getFirst().getMethodName())
                .isEqualTo("run"));
    }

    /// The stack of an arena refers to classes for a second, which this test takes.
    @Test
    @Tag("full")
    void open_ofAnArenaThatAnUnreachableClassHas_reportsIt() throws Exception {
        WeakReference<ClassLoader> loader = runByAnotherLoader(Keeps.class);
        FoundLeaks.collectUntil(() -> loader.refersTo(null));
        assertThat(LeakDetector.open()).anySatisfy(leak -> assertThat(leak.stack().getFirst().getClassName())
                .isEqualTo(Keeps.class.getName()));
    }

    /// Keeps an arena open in a static field.
    public static final class Keeps implements Runnable {
        @SuppressWarnings("unused")
        private static @Nullable Arena kept;

        public Keeps() {}

        @Override
        public void run() {
            kept = LeakDetector.wrap(Arena.ofShared());
        }
    }

    private static WeakReference<ClassLoader> runByAnotherLoader(Class<? extends Runnable> type) throws Exception {
        ClassLoader loader = new OneClassLoader(type);
        Runnable loses = (Runnable) loader.loadClass(type.getName()).getDeclaredConstructor().newInstance();
        assertThat(loses.getClass()).isNotEqualTo(type);
        assertThat(Threads.thrownBy(loses)).isNull();
        return new WeakReference<>(loader);
    }

    @Test
    @Tag("full")
    void thread_whenAllArenasAreClosed_keepsNoClassLoader() throws Exception {
        WeakReference<ClassLoader> loader = watchByAnotherLibrary();
        FoundLeaks.collectUntil(() -> loader.refersTo(null));
        assertThat(loader.refersTo(null)).isTrue();
    }

    /// Loads this library once more, and watches an arena with it. A parent of the loader would find the library as a
    /// module.
    private static WeakReference<ClassLoader> watchByAnotherLibrary() throws Exception {
        URL[] classes = {Path.of("target", "classes").toUri().toURL()};
        ClassLoader loader = new URLClassLoader(classes, null);
        Class<?> detector = loader.loadClass(LeakDetector.class.getName());
        assertThat(detector).isNotEqualTo(LeakDetector.class);
        try (Arena arena = (Arena) detector.getMethod("wrap", Arena.class).invoke(null, Arena.ofConfined())) {
            arena.allocate(8);
        }
        return new WeakReference<>(loader);
    }

    /// Leaves an arena open.
    public static final class Loses implements Runnable {
        public Loses() {}

        @Override
        public void run() {
            LeakDetector.wrap(Arena.ofConfined(), LeakDetection.ALL.listener(_ -> assertThat(this).isNotNull()));
        }
    }

    /// Defines one class itself.
    private static final class OneClassLoader extends ClassLoader {
        private final Class<?> type;

        OneClassLoader(Class<?> type) {
            super(type.getClassLoader());
            this.type = type;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(type.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = type.getResourceAsStream(type.getName().replaceFirst(".*\\.", "") + ".class")) {
                byte[] bytes = Objects.requireNonNull(in).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void open_listsTheArenaUntilItIsClosed() {
        List<Long> before = numbers(LeakDetector.open());
        try (Arena arena = LeakDetector.wrap(Arena.ofShared())) {
            arena.allocate(10);
            assertThat(LeakDetector.open()).filteredOn(leak -> !before.contains(leak.number()))
                    .singleElement()
                    .satisfies(leak -> {
                        assertThat(leak.reason()).isEqualTo(Leak.Reason.OPEN);
                        assertThat(leak.byteSize()).isEqualTo(10);
                    });
        }
        assertThat(numbers(LeakDetector.open())).allMatch(before::contains);
        assertThat(LeakDetector.summary()).startsWith("Leak detection: watched arenas open=")
                .contains("nanoseconds for each=");
    }

    @Test
    void reclaim_whileASegmentIsReachable_leavesItsMemory() {
        Arena arena = Arena.ofShared();
        MemorySegment segment = allocateAndDrop(arena);
        found.settle();
        assertThat(arena.scope().isAlive()).isTrue();
        assertThat(found.all()).isEmpty();
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }

    @Test
    void reclaim_whenEverythingIsUnreachable_closesTheArenaAndReportsIt() {
        Arena arena = Arena.ofShared();
        allocateAndDrop(arena);
        FoundLeaks.collectUntil(() -> !arena.scope().isAlive());
        assertThat(found.await(1)).singleElement().extracting(Leak::byteSize).isEqualTo(8L);
    }

    @Test
    void reclaim_ofAnArenaThatIsClosed_isReportedAndThrowsNothing() {
        Arena arena = Arena.ofShared();
        allocateAndDrop(arena);
        arena.close();
        assertThat(found.await(1)).hasSize(1);
        assertThat(found.settle()).hasSize(1);
    }

    private MemorySegment allocateAndDrop(Arena arena) {
        MemorySegment segment = LeakDetector.wrap(arena, all.reclaimLeaked(true)).allocate(ValueLayout.JAVA_LONG);
        segment.set(ValueLayout.JAVA_LONG, 0, 42);
        return segment;
    }

    @Test
    void reclaim_afterClose_doesNothing() {
        Arena arena = Arena.ofShared();
        MemorySegment segment;
        try (Arena wrapped = LeakDetector.wrap(arena, all.reclaimLeaked(true))) {
            segment = wrapped.allocate(8);
        }
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
        assertThat(found.settle()).isEmpty();
    }

    @Test
    void reclaim_ofArenaThatOneThreadCloses_throws() {
        try (Arena arena = Arena.ofConfined()) {
            assertRefused(() -> LeakDetector.wrap(arena, all.reclaimLeaked(true)), "wrap an arena for all threads");
        }
        try (Arena arena = Arena.ofShared()) {
            assertRefused(() -> LeakDetector.wrap(arena, LeakDetection.SAMPLED.reclaimLeaked(true)),
                    "use LeakDetection.ALL");
        }
    }

    @Test
    void snippet_closesItsArena() {
        int open = LeakDetector.open().size();
        assertThat(LeakSnippets.wrap()).isEqualTo(54);
        assertThat(LeakDetector.open()).hasSize(open);
    }

    @Test
    void longestOpen_negative_throws() {
        assertRefused(() -> LeakDetection.ALL.longestOpen(Duration.ofNanos(-1)), "longestOpen=");
    }

    @Test
    @Tag("full")
    void leak_isAnEventOfJfr(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("leaks.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.arenakit.ArenaLeak");
            recording.start();
            FoundLeaks.drop(all);
            found.await(1);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events).filteredOn(event -> event.getLong("byteSize") == 100).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getString("reason")).isEqualTo("UNREACHABLE");
            assertThat(event.getString("openedAt")).startsWith("dev.arenakit/" + FoundLeaks.class.getName() + ".drop");
        });
    }

    private static List<Long> numbers(List<Leak> leaks) {
        return leaks.stream().map(Leak::number).toList();
    }
}
