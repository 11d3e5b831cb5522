package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests that a tree contains each entry, and uses no page twice, after the stack has overflowed at any depth of a
/// change, in interpreted code and in the code of both compilers.
@Tag("full")
class ImageTreeStackOverflowTest extends InDirectory {
    ImageTreeStackOverflowTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

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
        private static final long STACK_BYTE_SIZE = 400_000;
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
            Thread small = new Thread(null, () -> run(directory, Integer.parseInt(arguments[1])), "small stack",
                    STACK_BYTE_SIZE);
            small.start();
            small.join();
        }

        private static void run(Path directory, int calls) {
            // Compile `descend`, whose frames have another size then.
            for (int i = 0; i < calls; i += 2_000) {
                int _ = end();
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
            expect(TestTree.problems(base, BootId.current()).isEmpty(), "problems");
            expect(overflows > 5 && successes > 5, "overflows=" + overflows + ", successes=" + successes);
        }

        private void overflowEverywhere() {
            int end = end();
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
            expect(tree.contents().equals(model), "contents");
            tree.put(-1, 0);
            tree.remove(-1);
            expect(tree.size() == model.size(), "size");
            expect(TestTree.problems(base, BootId.current()).isEmpty(), "problems");
        }

        /// Makes a change at a depth.
        ///
        /// @return whether it has happened
        private boolean change(int depth) {
            int key = random.nextInt(KEYS);
            int kind = random.nextInt(10);
            long value = random.nextLong();
            try {
                descend(depth, () -> {
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
                    expect(Objects.equals(found, model.get(key)), "another value");
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

        /// The largest depth at which nothing overflows.
        private static int end() {
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

        private static void descend(int depth, Runnable action) {
            if (depth > 0) {
                descend(depth - 1, action);
            } else {
                action.run();
            }
        }

        private static void expect(boolean condition, String otherwise) {
            if (!condition) {
                throw new AssertionError(otherwise);
            }
        }
    }
}
