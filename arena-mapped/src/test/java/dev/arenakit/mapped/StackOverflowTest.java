package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that a stack overflow at any depth, in interpreted code and in the code of both compilers, leaves a tree with
/// each entry and no page in use twice, and that no memory is handed out twice.
@Tag("full")
class StackOverflowTest extends InDirectory {
    @ParameterizedTest
    @CsvSource({"-Xint, 10", "-XX:TieredStopAtLevel=1, 1000", "-XX:TieredStopAtLevel=4, 6000"})
    void change_whenTheStackOverflowsInIt_happensWhollyOrNotAtAll(String compiler, String calls) throws Exception {
        // Frames that are compiled in the background would have another size after the depths were found.
        ProcessBuilder command = ChildJvm.granted(compiler, "-Xbatch")
                .command(Child.class, directory.toString(), calls);
        assertThat(ChildJvm.run(command)).isEqualTo("checked\n");
    }

    /// Changes trees at all depths near the end of the stack.
    static final class Child {
        private static final int DEPTHS = 120;
        /// After a round without overflows, the compiler has changed the frames.
        private static final int ROUNDS = 20;
        private static final int KEYS = 3_000;

        private final Path base;
        private final InfiniteArena arena;
        private final TestTree tree;
        private final NavigableMap<Integer, Long> model = new TreeMap<>();
        private final Random random = new Random(1);
        private int overflows;
        private int successes;

        private Child(Path directory, TestTree.Kind kind) {
            base = directory.resolve(kind.name());
            arena = InfiniteArena.builder(base).build();
            tree = kind.open(arena);
        }

        public static void main(String[] arguments) throws InterruptedException {
            Path directory = Path.of(arguments[0]);
            SmallStack.run(() -> run(directory, Integer.parseInt(arguments[1])));
        }

        private static void run(Path directory, int calls) {
            // Compile `descend`, whose frames have another size then.
            for (int i = 0; i < calls; i += 2_000) {
                int _ = SmallStack.end();
            }
            new Child(directory, TestTree.Kind.LONGS).run(calls);
            new Child(directory, TestTree.Kind.TEXTS).run(calls);
            System.out.println("checked");
        }

        private void run(int calls) {
            try (arena) {
                for (int i = 0; i < calls + 200; i++) {
                    change(0);
                }
                for (int round = 0; round < ROUNDS && overflows <= 5; round++) {
                    overflowEverywhere();
                }
            }
            SmallStack.expect(TestTree.problems(base, BootId.current()).isEmpty(), "problems");
            SmallStack.expect(overflows > 5 && successes > 5, "overflows=" + overflows + ", successes=" + successes);
        }

        private void overflowEverywhere() {
            int end = SmallStack.end();
            int frames = DEPTHS;
            while (frames < end && !change(end - frames)) {
                frames *= 2;
            }
            for (int i = 0; i < DEPTHS; i++) {
                // Leave at least one frame for the change to begin.
                change(Math.max(0, end - (int) ((long) frames * i / DEPTHS)));
                if (i % 40 == 0) {
                    check();
                }
            }
            check();
        }

        private void check() {
            SmallStack.expect(tree.contents().equals(model), "contents");
            tree.put(-1, 0);
            tree.remove(-1);
            SmallStack.expect(tree.size() == model.size(), "size");
            SmallStack.expect(TestTree.problems(base, BootId.current()).isEmpty(), "problems");
        }

        /// Makes a change at a depth.
        ///
        /// @return whether it has happened
        private boolean change(int depth) {
            int key = random.nextInt(KEYS);
            int kind = random.nextInt(10);
            long value = random.nextLong();
            try {
                SmallStack.descend(depth, () -> {
                    if (kind == 0) {
                        arena.force();
                    } else if (kind < 4) {
                        tree.remove(key);
                    } else {
                        tree.put(key, value);
                    }
                });
                successes++;
                update(kind, key, value);
                return true;
            } catch (StackOverflowError _) {
                overflows++;
                Long found = tree.get(key);
                Long before = model.get(key);
                if (!Objects.equals(found, before)) {
                    update(kind, key, value);
                    SmallStack.expect(Objects.equals(found, model.get(key)), "another value");
                }
                return false;
            }
        }

        private void update(int kind, int key, long value) {
            if (kind > 0 && kind < 4) {
                model.remove(key);
            } else if (kind >= 4) {
                model.put(key, value);
            }
        }

    }

    @ParameterizedTest
    @CsvSource({"-Xint, 1", "-XX:TieredStopAtLevel=1, 1000", "-XX:TieredStopAtLevel=4, 12000"})
    void allocateOrLease_whenTheStackOverflowsInIt_handsNoMemoryOutTwice(String compiler, String calls)
            throws Exception {
        ProcessBuilder command = ChildJvm.granted(compiler)
                .command(ArenaChild.class, directory.toString(), calls);
        assertThat(ChildJvm.run(command)).isEqualTo("checked\n");
    }

    /// Allocates memory, changes a map and leases windows at all depths near the end of the stack. Checks that no memory is
    /// handed out twice, and that the map has each change wholly or not at all.
    static final class ArenaChild {
        /// The number of depths that are tried.
        private static final int DEPTHS = 150;
        /// After a round without overflows, the compiler has changed the frames.
        private static final int ROUNDS = 20;
        private static final long BYTE_SIZE = 100;

        private final String what;
        /// The number of calls before the stack overflows, which compile what they call.
        private final int calls;
        private int overflows;
        private int successes;

        private ArenaChild(String what, int calls) {
            this.what = what;
            this.calls = calls;
        }

        public static void main(String[] arguments) throws InterruptedException {
            Path directory = Path.of(arguments[0]);
            SmallStack.run(() -> run(directory, Integer.parseInt(arguments[1])));
        }

        private static void run(Path directory, int calls) {
            try {
                // Compile `descend`, whose frames have another size then.
                for (int i = 0; i < calls; i += 2000) {
                    int _ = SmallStack.end();
                }
                new ArenaChild("plain", 1).allocate(InfiniteArena.builder(directory.resolve("plain")));
                new ArenaChild("chunked", calls)
                        .allocate(InfiniteArena.builder(directory.resolve("chunked")).chunked());
                new ArenaChild("growable", 1).allocate(InfiniteArena.builder(directory.resolve("growable")));
                new ArenaChild("long map", calls).longMap(InfiniteArena.builder(directory.resolve("long-map")));
                new ArenaChild("windows", calls).lease(Files.createFile(directory.resolve("file")));
                System.out.println("checked");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private void allocate(InfiniteArenaBuilder builder) throws IOException {
            List<MemorySegment> allocated = new ArrayList<>();
            try (InfiniteArena arena = builder.build()) {
                overflowEverywhere(() -> {
                    MemorySegment memory = what.equals("growable")
                            ? arena.growable(1 << 20).grow(BYTE_SIZE)
                            : arena.allocate(BYTE_SIZE, 8);
                    allocated.add(memory);
                    memory.set(JAVA_LONG, 0, memory.get(JAVA_LONG, 0) + memory.address());
                });
                TreeMap<Long, Long> ends = new TreeMap<>();
                for (MemorySegment memory : allocated) {
                    var before = ends.floorEntry(memory.address());
                    SmallStack.expect(before == null || before.getValue() <= memory.address(),
                            "memory was allocated twice");
                    ends.put(memory.address(), memory.address() + BYTE_SIZE);
                    // The last step may have overflowed.
                    SmallStack.expect(memory.get(JAVA_LONG, 0) == memory.address() || memory.get(JAVA_LONG, 0) == 0,
                            "other bytes");
                }
                try (ArenaImage image = ArenaImage.open(arena.base())) {
                    SmallStack.expect(
                            image.allocations().filter(it -> it.byteSize() == BYTE_SIZE).count() >= allocated.size(),
                            "allocations are not recorded");
                    image.integrity()
                            .problems()
                            .forEach(it -> SmallStack.expect(
                                    it.isNote() || it.description().startsWith("Data file is not recorded"),
                                    it.description()));
                }
            }
            checkOverflows();
        }

        /// Adds, replaces and removes. An interrupted change has happened or has not.
        private void longMap(InfiniteArenaBuilder builder) {
            Map<Long, Long> model = new HashMap<>();
            long[] number = {0};
            try (InfiniteArena arena = builder.build()) {
                ImageLongMap map = arena.structures().longMap("map");
                overflowEverywhere(() -> {
                    long last = number[0] % 1_000;
                    long present = map.get(last, 0);
                    if (present == 0) {
                        model.remove(last);
                    } else {
                        SmallStack.expect(Long.valueOf(present).equals(model.get(last)) || present == number[0],
                                "another value");
                        model.put(last, present);
                    }
                    number[0]++;
                    if (number[0] % 4 == 0) {
                        map.remove(number[0] % 1_000);
                    } else {
                        map.put(number[0] % 1_000, number[0]);
                    }
                });
                long[] present = {0};
                map.forEach((_, _) -> present[0]++);
                SmallStack.expect(map.size() == present[0], "the map has another size before the next change");
                long last = number[0] % 1_000;
                map.put(last, -1);
                model.put(last, -1L);
                Map<Long, Long> contents = new HashMap<>();
                map.forEach(
                        (key, value) -> SmallStack.expect(contents.put(key, value) == null, "a key is there twice"));
                SmallStack.expect(contents.equals(model), "the map differs from its model");
                SmallStack.expect(map.size() == model.size(), "the map has another size");
            }
            checkOverflows();
        }

        private void lease(Path file) throws IOException {
            long window = 1 << 16;
            long[] increments = new long[4];
            // These windows are not closed: a lease whose close has overflowed may be open.
            MappedWindows windows = MappedWindows.builder(file)
                    .writable()
                    .windowByteSize(window)
                    .maxByteSize(DEPTHS * window)
                    .open();
            windows.grow(8 * window);
            try (MappedWindow other = windows.lease(0, 8)) {
                for (int number = 1; number < increments.length; number++) {
                    int current = number;
                    overflowEverywhere(() -> {
                        try (MappedWindow lease = windows.lease(2 * window * current, 16)) {
                            MemorySegment memory = lease.segment();
                            memory.set(JAVA_LONG, 0, memory.get(JAVA_LONG, 0) + 1);
                            increments[current]++;
                        }
                        other.segment().set(JAVA_LONG, 0, other.segment().get(JAVA_LONG, 0) + 1);
                    });
                }
            }
            try (FileChannel channel = FileChannel.open(file)) {
                for (int number = 1; number < increments.length; number++) {
                    ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
                    channel.read(value, 2 * window * number);
                    SmallStack.expect(value.getLong(0) == increments[number], "a store has reached another window");
                }
            }
            checkOverflows();
        }

        private void overflowEverywhere(Runnable action) {
            for (int call = 0; call < calls; call++) {
                action.run();
            }
            int before = overflows;
            for (int round = 0; round < ROUNDS && overflows == before; round++) {
                overflowAtAllDepths(action);
            }
        }

        private void overflowAtAllDepths(Runnable action) {
            int end = SmallStack.end();
            // The stack of the action, in frames of `descend`, which are small in compiled code.
            int frames = DEPTHS;
            while (frames < end && overflows(end - frames, action)) {
                frames *= 2;
            }
            for (int i = 0; i < DEPTHS; i++) {
                if (overflows(end - (int) ((long) frames * i / DEPTHS), action)) {
                    // The object is still usable.
                    action.run();
                }
            }
        }

        private boolean overflows(int depth, Runnable action) {
            try {
                SmallStack.descend(depth, action);
                successes++;
                return false;
            } catch (StackOverflowError _) {
                overflows++;
                return true;
            } catch (InternalError e) {
                // The JDK creates the buffer of a mapping by reflection, and wraps the error.
                if (!(e.getCause() instanceof InvocationTargetException wrapper
                        && wrapper.getCause() instanceof StackOverflowError)) {
                    throw e;
                }
                overflows++;
                return true;
            }
        }

        private void checkOverflows() {
            SmallStack.expect(overflows > 0 && successes > 0,
                    what + ": overflows=" + overflows + ", successes=" + successes);
        }
    }

    /// Calls at depths near the end of a small stack.
    private static final class SmallStack {
        private static final long BYTE_SIZE = 400_000;

        private SmallStack() {}

        static void run(Runnable action) throws InterruptedException {
            Thread small = new Thread(null, action, "small stack", BYTE_SIZE);
            small.start();
            small.join();
        }

        /// The largest depth at which nothing overflows.
        static int end() {
            int least = 0;
            int most = 1 << 20;
            while (least < most) {
                int middle = (least + most + 1) / 2;
                try {
                    descend(middle, () -> {});
                    least = middle;
                } catch (StackOverflowError _) {
                    most = middle - 1;
                }
            }
            return least;
        }

        static void descend(int depth, Runnable action) {
            if (depth > 0) {
                descend(depth - 1, action);
            } else {
                action.run();
            }
        }

        static void expect(boolean condition, String otherwise) {
            if (!condition) {
                throw new AssertionError(otherwise);
            }
        }
    }
}
