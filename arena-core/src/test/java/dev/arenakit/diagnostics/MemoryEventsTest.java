package dev.arenakit.diagnostics;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.StackDepth;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemoryEventsTest {

    /// In a JVM of its own: the flight recorder stays in the JVM that has started it.
    @Test
    void recording_ofAPoolAndABudget_hasAnEventForEachKind() {
        assertThat(ChildJvm.granted().run(Recorded.class)).isEqualTo(new ChildJvm.Result(0, "recorded\n"));
    }

    /// Reads the events of a pool that grows, is full and is trimmed, and of a budget that is exceeded.
    static final class Recorded {
        private static final long SLAB = 64 * 1024;

        public static void main(String[] args) throws InterruptedException {
            Map<String, List<RecordedEvent>> events = new ConcurrentHashMap<>();
            try (RecordingStream stream = new RecordingStream()) {
                stream.setReuse(false);
                for (String name : List.of("MemorySample", "PoolGrown", "PoolFull", "PoolTrimmed", "BudgetExceeded")) {
                    stream.enable("dev.arenakit." + name).withStackTrace();
                }
                stream.onEvent(event -> events
                        .computeIfAbsent(event.getEventType().getName(), _ -> new CopyOnWriteArrayList<>())
                        .add(event));
                stream.startAsync();
                use();
                stream.stop();
            }
            check(events);
            System.out.println("recorded");
        }

        private static void use() {
            try (SlabPool pool = SlabPool.builder().name("requests").maxByteSize(20 * SLAB).build()) {
                try (SlabArena arena = pool.openConfined()) {
                    for (int i = 0; i < 40; i++) {
                        arena.allocate(SLAB / 4, 8);
                    }
                    assertThatThrownBy(() -> arena.allocate(20 * SLAB, 8))
                            .isInstanceOf(CapacityExceededException.class);
                    arena.allocate(8 * SLAB, 8);
                }
                pool.trim();
            }
            try (Arena arena = MemoryBudget.root("root", 10).child("child", 100).wrap(Arena.ofConfined())) {
                assertThatThrownBy(() -> arena.allocate(11, 1)).isInstanceOf(BudgetExceededException.class);
            }
        }

        private static void check(Map<String, List<RecordedEvent>> events) {
            for (String name : List.of("MemorySample", "PoolGrown", "PoolFull", "PoolTrimmed")) {
                assertThat(events.get("dev.arenakit." + name)).extracting(event -> event.getString("pool"))
                        .containsOnly("requests");
            }
            assertThat(events.get("dev.arenakit.PoolGrown")).hasSize(10).allSatisfy(event -> {
                assertThat(event.getLong("slabByteSize")).isEqualTo(SLAB);
                assertThat(event.getLong("heldByteSize")).isPositive();
            });
            // Slabs and openings are sampled at random, and large blocks of this size always are.
            assertThat(events.get("dev.arenakit.MemorySample"))
                    .filteredOn(event -> event.getString("kind").equals("large block"))
                    .extracting(event -> event.getLong("weight"))
                    .containsExactly(20 * SLAB, 8 * SLAB);
            assertThat(events.get("dev.arenakit.PoolFull")).singleElement().satisfies(event -> {
                assertThat(event.getLong("maxByteSize")).isEqualTo(20 * SLAB);
                assertThat(event.getLong("heldByteSize")).isEqualTo(10 * SLAB);
                assertThat(event.getLong("requestedByteSize")).isEqualTo(20 * SLAB);
                assertThat(event.getLong("openArenas")).isEqualTo(1);
                assertThat(event.getStackTrace().getFrames().stream().map(RecordedFrame::getMethod))
                        .extracting(method -> method.getType().getName() + "." + method.getName())
                        .contains(Recorded.class.getName() + ".use");
            });
            assertThat(events.get("dev.arenakit.PoolTrimmed")).singleElement()
                    .satisfies(event -> assertThat(event.getLong("freedByteSize")).isEqualTo(18 * SLAB));
            assertThat(events.get("dev.arenakit.BudgetExceeded")).singleElement().satisfies(event -> {
                assertThat(event.getString("budget")).isEqualTo("root/child");
                assertThat(event.getString("exceeded")).isEqualTo("root");
                assertThat(event.getString("kind")).isEqualTo("memory");
                assertThat(event.getLong("limit")).isEqualTo(10);
                assertThat(event.getLong("requested")).isEqualTo(11);
            });
        }
    }

    /// In a JVM of its own, as above.
    @Test
    @Tag("full")
    void recording_ofAPoolThatGrowsByLeaks_namesThoseWhoLeak() {
        assertThat(ChildJvm.granted().run(Leaking.class)).isEqualTo(new ChildJvm.Result(0, "named\n"));
    }

    /// Leaks 125 MiB, while other arenas are opened and closed, and reads the events.
    static final class Leaking {
        private static final List<SlabArena> LEAKED = new ArrayList<>();

        private Leaking() {}

        public static void main(String[] args) throws InterruptedException {
            List<RecordedEvent> samples = new CopyOnWriteArrayList<>();
            List<RecordedEvent> grown = new CopyOnWriteArrayList<>();
            try (RecordingStream stream = new RecordingStream(); SlabPool pool = SlabPool.create()) {
                stream.setReuse(false);
                stream.enable("dev.arenakit.MemorySample").withStackTrace();
                stream.enable("dev.arenakit.PoolGrown").withStackTrace();
                stream.onEvent("dev.arenakit.MemorySample", samples::add);
                stream.onEvent("dev.arenakit.PoolGrown", grown::add);
                stream.startAsync();
                for (int i = 0; i < 2_000; i++) {
                    leak(pool);
                    innocent(pool);
                }
                stream.stop();
                LEAKED.forEach(Arena::close);
            }
            // Fifteen are expected, and fewer if a stack takes long.
            assertThat(samples).filteredOn(event -> hasFrame(event, "leak"))
                    .hasSizeBetween(1, 100)
                    .allSatisfy(event -> {
                        assertThat(event.getString("kind")).isEqualTo("opening");
                        assertThat(event.getLong("weight")).isEqualTo(128 * 64 * 1024);
                    });
            // The stacks belong to whoever opens the next arena.
            assertThat(grown).filteredOn(event -> hasFrame(event, "innocent")).hasSizeGreaterThan(1_900);
            assertThat(grown.getLast().getString("holders")).startsWith("[main#")
                    .contains("Leaking.leak(",
                            " arenas)")
                    .doesNotContain("innocent");
            System.out.println("named");
        }

        private static void leak(SlabPool pool) {
            LEAKED.add(pool.openConfined());
        }

        private static void innocent(SlabPool pool) {
            pool.openConfined().close();
        }

        private static boolean hasFrame(RecordedEvent event, String method) {
            return event.getStackTrace()
                    .getFrames()
                    .stream()
                    .map(RecordedFrame::getMethod)
                    .anyMatch(frame -> frame.getName().equals(method)
                            && frame.getType().getName().equals(Leaking.class.getName()));
        }
    }

    @Test
    @Tag("full")
    void pool_whoseEventsAreMadeNearTheEndOfTheStack_worksLater() {
        assertThat(ChildJvm.granted("-Xint", "-Xss256k").run(StackSession.class))
                .isEqualTo(new ChildJvm.Result(0, "works\n"));
    }

    /// Makes the first events of a JVM, and others, where the stack overflows.
    static final class StackSession {
        private StackSession() {}

        public static void main(String[] args) {
            try (Recording recording = new Recording()) {
                recording.start();
                StackDepth.atEach(2, StackSession::useAt);
            }
            System.out.println("works");
        }

        private static boolean useAt(int depth) {
            SlabPool pool = SlabPool.builder().slabByteSize(1024).build();
            SlabArena arena = pool.openConfined();
            boolean overflowed = StackDepth.overflows(depth, () -> {
                for (int i = 0; i < 8; i++) {
                    arena.allocate(200, 8);
                }
                arena.allocate(1 << 20);
            });
            arena.allocate(1 << 20);
            arena.allocate(256, 8);
            arena.allocate(256, 8);
            arena.close();
            if (pool.stats().largeByteSize() != 0) {
                throw new AssertionError("A large block is left: " + pool);
            }
            pool.trim();
            return overflowed;
        }
    }

    @Test
    @Tag("full")
    void pool_onTheModulePathWithTheRecorder_isRecorded(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("pool.jfr");
        assertThat(ChildJvm.onModulePath("--enable-native-access=dev.arenakit", "-Xlog:jfr*=off",
                "-XX:StartFlightRecording:filename=" + file).run(PoolSession.class).output()).endsWith("true\n");
        assertThat(RecordingFile.readAllEvents(file)).extracting(event -> event.getEventType().getName())
                .contains("dev.arenakit.PoolGrown", "dev.arenakit.MemorySample");
    }

    @Test
    @Tag("full")
    void pool_onTheClassPathOfJavaBaseAlone_works() {
        assertThat(ChildJvm.granted("--limit-modules", "java.base").run(PoolSession.class))
                .isEqualTo(new ChildJvm.Result(0, "false\n"));
    }

    /// The JDK's tools take seconds.
    @Test
    @Tag("slow")
    void pool_inAnImageOfJavaBaseAlone_works(@TempDir Path directory) throws IOException {
        Path image = directory.resolve("image");
        Path bin = Path.of(System.getProperty("java.home"), "bin");
        ChildJvm.run(new ProcessBuilder(bin.resolve("jlink").toString(), "--module-path", "target/classes",
                "--add-modules", "dev.arenakit", "--output", image.toString()));
        String classes = directory.resolve("classes").toString();
        Path source = directory.resolve("Main.java");
        Files.writeString(source, """
                import dev.arenakit.SlabPool;
                import dev.arenakit.diagnostics.MemoryStatistics;

                class Main {
                    public static void main(String[] args) {
                        try (var pool = SlabPool.create(); var arena = pool.openConfined()) {
                            System.out.println(arena.allocate(1 << 20).byteSize() + " "
                                    + MemoryStatistics.ofProcess().pools().size() + " "
                                    + ModuleLayer.boot().modules().size());
                        }
                    }
                }
                """);
        ChildJvm.run(new ProcessBuilder(bin.resolve("javac").toString(), "-cp", "target/classes", "-d", classes,
                source.toString()));
        assertThat(ChildJvm.run(new ProcessBuilder(image.resolve("bin/java").toString(), "--add-modules",
                "dev.arenakit", "--enable-native-access=dev.arenakit", "-cp", classes, "Main")))
                .isEqualTo("1048576 1 2\n");
    }

    /// Uses a pool, and prints whether the JVM has the flight recorder.
    static final class PoolSession {
        private PoolSession() {}

        public static void main(String[] args) {
            try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openConfined()) {
                arena.allocate(1 << 20);
            }
            System.out.println(ModuleLayer.boot().findModule("jdk.jfr").isPresent());
        }
    }
}
