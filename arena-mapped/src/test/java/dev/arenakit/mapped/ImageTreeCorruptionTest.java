package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Changes bytes of trees at random. Whatever is read or changed afterwards ends with a result or an exception that says
/// that the structure is damaged.
@Tag("full")
class ImageTreeCorruptionTest extends InDirectory {
    private static final int KEYS = 800;
    private static final int USED = 256;

    private int exceptions;
    private int problems;

    ImageTreeCorruptionTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    @Timeout(60)
    void use_afterAFewHundredMutations_answersOrThrows(TestTree.Kind kind) throws IOException {
        mutate(kind, 250);
        assertThat(exceptions).isPositive();
        assertThat(problems).isGreaterThan(25);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void use_afterTwentyFiveThousandMutations_answersOrThrows(TestTree.Kind kind) throws IOException {
        mutate(kind, 25_000);
    }

    private void mutate(TestTree.Kind kind, int times) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            TestTree tree = kind.open(arena);
            for (int i = 0; i < KEYS; i++) {
                tree.put(i * 7 % KEYS, i);
            }
        }
        Map<Path, byte[]> original = new HashMap<>();
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                original.put(file, Files.readAllBytes(file));
            }
        }
        Path data = ImageFiles.data(base, 0);
        byte[] sound = Files.readAllBytes(data);
        SplittableRandom random = new SplittableRandom(times);
        for (int i = 0; i < times; i++) {
            byte[] bytes = sound.clone();
            mutate(bytes, random);
            for (Map.Entry<Path, byte[]> file : original.entrySet()) {
                Files.write(file.getKey(), file.getValue());
            }
            Files.write(data, bytes);
            use(kind, random);
        }
    }

    private static void mutate(byte[] bytes, SplittableRandom random) {
        for (int n = random.nextInt(4); n >= 0; n--) {
            int page = random.nextInt(3) == 0 ? 0 : random.nextInt(bytes.length / 4096) * 4096;
            // Fields and slots are at the beginning.
            int at = page + random.nextInt(random.nextBoolean() ? USED : 4096);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                default -> {
                    int from = random.nextInt(bytes.length / 8) * 8;
                    System.arraycopy(bytes, from, bytes, at & -8, 8);
                }
            }
        }
    }

    private void use(TestTree.Kind kind, SplittableRandom random) throws IOException {
        List<String> found = TestTree.problems(base, 1);
        problems += found.isEmpty() ? 0 : 1;
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            TestTree tree = kind.open(image, arena);
            run(tree::contents);
            run(() -> tree.get(random.nextInt(KEYS)));
            run(tree::descending);
        } catch (IllegalStateException e) {
            checkException(e);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            TestTree tree = kind.open(arena);
            for (int i = 0; i < 20; i++) {
                int key = random.nextInt(KEYS);
                run(() -> tree.put(key, key));
                run(() -> tree.remove(key + 1));
            }
            run(arena::force);
            for (int i = 0; i < 20; i++) {
                int key = random.nextInt(KEYS);
                run(() -> tree.remove(key));
            }
            run(tree::contents);
            run(tree::clear);
        } catch (IllegalStateException e) {
            checkException(e);
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            checkException(e);
        } catch (AssertionError | IllegalArgumentException e) {
            // A key or a value that was changed.
            exceptions++;
        }
    }

    private void checkException(IllegalStateException e) {
        exceptions++;
        assertThat(e).hasMessageMatching("(?s).*(damaged|Structure has another|Structure is not finished).*");
    }
}
