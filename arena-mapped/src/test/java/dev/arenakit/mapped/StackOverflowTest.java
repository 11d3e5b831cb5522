package dev.arenakit.mapped;

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
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that a stack overflow at any depth, in interpreted code and in the code of both compilers, leaves structures
/// with each entry, and that no memory is handed out twice.
@Tag("full")
class StackOverflowTest extends InDirectory {
    @ParameterizedTest
    @CsvSource({"-Xint, 1", "-XX:TieredStopAtLevel=1, 1000", "-XX:TieredStopAtLevel=4, 12000"})
    void allocateLeaseOrChange_whenTheStackOverflowsInIt_handsNoMemoryOutTwiceAndChangesWhollyOrNotAtAll(
            String compiler, String calls)
            throws Exception {
        ProcessBuilder command = ChildJvm.granted(compiler)
                .command(Child.class, directory.toString(), calls);
        assertThat(ChildJvm.run(command)).isEqualTo("checked\n");
    }

    /// Allocates memory, changes structures and leases windows at all depths near the end of the stack. Checks that no memory
    /// is handed out twice, and that structures have each change wholly or not at all.
    static final class Child {
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

        private Child(String what, int calls) {
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
                new Child("plain", 1).allocate(InfiniteArena.builder(directory.resolve("plain")));
                new Child("chunked", calls)
                        .allocate(InfiniteArena.builder(directory.resolve("chunked")).chunked());
                new Child("growable", 1).allocate(InfiniteArena.builder(directory.resolve("growable")));
                for (NumberedStructure.Kind kind : List.of(NumberedStructure.Kind.LONG_MAP,
                        NumberedStructure.Kind.LONG_TREE, NumberedStructure.Kind.TEXT_TREE)) {
                    new Child(kind.name(), calls).change(kind, directory.resolve(kind.name()));
                }
                new Child("windows", calls).lease(Files.createFile(directory.resolve("file")));
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
                    ensure(before == null || before.getValue() <= memory.address(),
                            "memory was allocated twice");
                    ends.put(memory.address(), memory.address() + BYTE_SIZE);
                    // The last step may have overflowed.
                    ensure(memory.get(JAVA_LONG, 0) == memory.address() || memory.get(JAVA_LONG, 0) == 0,
                            "other bytes");
                }
                try (ArenaImage image = ArenaImage.open(arena.base())) {
                    ensure(
                            image.allocations().filter(it -> it.byteSize() == BYTE_SIZE).count() >= allocated.size(),
                            "allocations are not recorded");
                    image.integrity()
                            .problems()
                            .forEach(it -> ensure(
                                    it.isNote() || it.description().startsWith("Data file is not recorded"),
                                    it.description()));
                }
            }
            checkOverflows();
        }

        /// Adds, replaces, removes and forces. An interrupted change has happened or has not.
        private void change(NumberedStructure.Kind kind, Path base) throws IOException {
            NumberedStructure.Model model = new NumberedStructure.Model();
            long[] number = {0};
            try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
                NumberedStructure structure = kind.open(arena);
                overflowEverywhere(() -> {
                    if (number[0] % 10 == 0) {
                        arena.force();
                    } else {
                        change(structure, number[0]);
                    }
                }, isDone -> {
                    boolean isSame = isDone || structure.contents().equals(model.contents());
                    if (number[0] % 10 != 0 && (isDone || !isSame)) {
                        change(model, number[0]);
                    }
                    ensure(isDone || structure.contents().equals(model.contents()), "other contents");
                    number[0]++;
                });
                ensure(structure.contents().equals(model.contents()),
                        "the structure differs from its model");
                ensure(structure.size() == model.size(), "the structure has another size");
            }
            try (ArenaImage image = ArenaImage.open(base)) {
                image.entries(image.find(TestTree.NAME).orElseThrow())
                        .orElseThrow()
                        .check(problem -> ensure(false, problem));
            }
            checkOverflows();
        }

        private static void change(NumberedStructure structure, long number) {
            int key = (int) (number % 1_000);
            if (number % 4 == 0) {
                structure.remove(key);
            } else {
                structure.put(key, number);
            }
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
                    ensure(value.getLong(0) == increments[number], "a store has reached another window");
                }
            }
            checkOverflows();
        }

        private void overflowEverywhere(Runnable action) {
            overflowEverywhere(action, _ -> {});
        }

        /// @param afterwards is told after each call whether it has returned
        private void overflowEverywhere(Runnable action, Consumer<Boolean> afterwards) {
            for (int call = 0; call < calls; call++) {
                action.run();
                afterwards.accept(true);
            }
            int before = overflows;
            for (int round = 0; round < ROUNDS && overflows == before; round++) {
                overflowAtAllDepths(action, afterwards);
            }
        }

        private void overflowAtAllDepths(Runnable action, Consumer<Boolean> afterwards) {
            int end = SmallStack.end();
            // The stack of the action, in frames of `descend`, which are small in compiled code.
            int frames = DEPTHS;
            while (frames < end && overflows(end - frames, action, afterwards)) {
                frames *= 2;
            }
            for (int i = 0; i < DEPTHS; i++) {
                if (overflows(end - (int) ((long) frames * i / DEPTHS), action, afterwards)) {
                    // The object is still usable.
                    action.run();
                    afterwards.accept(true);
                }
            }
        }

        private boolean overflows(int depth, Runnable action, Consumer<Boolean> afterwards) {
            boolean overflows = overflows(depth, action);
            afterwards.accept(!overflows);
            return overflows;
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
            ensure(overflows > 0 && successes > 0,
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
    }
}
