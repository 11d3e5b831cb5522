package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests threads and processes that read a tree while a thread changes it. Even keys are always there, and odd keys come
/// and go. Each value contains its key and a number that grows.
@Tag("full")
class ImageTreeReadersTest extends InDirectory {
    private static final int KEYS = 4_000;

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void read_whileAThreadChanges_seesWholeValuesInOrder(TestTree.Kind kind) throws Exception {
        readBesideWriter(kind, 300);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    @Tag("slow")
    @Timeout(1_000)
    void read_whileAThreadChangesForMinutes_seesWholeValuesInOrder(TestTree.Kind kind) throws Exception {
        readBesideWriter(kind, 150_000);
    }

    private void readBesideWriter(TestTree.Kind kind, long millis) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean isDone = new AtomicBoolean();
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            TestTree tree = kind.open(arena);
            for (int key = 0; key < KEYS; key += 2) {
                tree.put(key, key);
            }
            Process child = ChildJvm.granted()
                    .command(Child.class, base.toString(), kind.name(), Long.toString(millis))
                    .start();
            try {
                assertThat(child.inputReader().readLine()).isEqualTo("ready");
                Thread reader = Thread.ofPlatform().start(() -> {
                    try {
                        Reader reading = new Reader(kind.open(arena));
                        while (!isDone.get()) {
                            reading.read();
                        }
                    } catch (Throwable t) {
                        failure.set(t);
                    }
                });
                write(arena, tree, millis);
                isDone.set(true);
                reader.join();
                assertThat(child.inputReader().readLine()).isEqualTo("checked");
            } finally {
                child.destroyForcibly().waitFor();
            }
        }
        assertThat(failure).hasNullValue();
    }

    private static void write(InfiniteArena arena, TestTree tree, long millis) {
        Random random = new Random(1);
        long end = System.nanoTime() + millis * 1_000_000;
        for (long n = 1; System.nanoTime() < end; n++) {
            int key = random.nextInt(KEYS);
            if (key % 2 == 0 || random.nextBoolean()) {
                tree.put(key, n * KEYS + key);
            } else {
                tree.remove(key);
            }
            if (n % 5_000 == 0) {
                arena.force();
            }
        }
    }

    /// Checks what it reads.
    private static final class Reader {
        private final TestTree tree;
        private final Random random = new Random(2);
        private final long[] known = new long[KEYS];

        Reader(TestTree tree) {
            this.tree = tree;
        }

        void read() {
            for (int i = 0; i < 1_000; i++) {
                int key = random.nextInt(KEYS);
                Long value = tree.get(key);
                if (value == null) {
                    expect(key % 2 == 1, "lost key " + key);
                } else {
                    check(key, value);
                }
            }
            read(tree.contents());
            read(tree.descending());
        }

        private void read(java.util.NavigableMap<Integer, Long> contents) {
            contents.forEach(this::check);
            expect(contents.keySet().stream().filter(key -> key % 2 == 0).count() == KEYS / 2, "lost keys");
        }

        private void check(int key, long value) {
            expect(value % KEYS == key && value >= known[key],
                    "key " + key + ", value " + value + " after " + known[key]);
            known[key] = value;
        }

        private static void expect(boolean condition, String otherwise) {
            if (!condition) {
                throw new AssertionError(otherwise);
            }
        }
    }

    /// Reads the tree of another process.
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            TestTree.Kind kind = TestTree.Kind.valueOf(arguments[1]);
            try (ArenaImage image = ArenaImage.open(Path.of(arguments[0])); Arena arena = Arena.ofShared()) {
                Reader reader = new Reader(kind.open(image, arena));
                reader.read();
                System.out.println("ready");
                long end = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000;
                do {
                    reader.read();
                } while (System.nanoTime() < end);
                System.out.println("checked");
            }
        }
    }
}
