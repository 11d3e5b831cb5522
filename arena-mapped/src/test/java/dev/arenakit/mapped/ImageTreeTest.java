package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.mapped.internal.catalog.BootId;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares trees with a map of the JDK under changes from a seed, also where the memory cannot grow.
class ImageTreeTest extends InDirectory {
    private static final int RUNS = 6;
    private static final int CHANGES = 4_000;
    private final NavigableMap<Integer, Long> model = new TreeMap<>();
    private static final int KEYS = 8_000;

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void changes_random_equalModelAfterEachOpening(TestTree.Kind kind) {
        Random random = new Random(kind.name().length());
        for (int run = 0; run < RUNS; run++) {
            int range = 1 + random.nextInt(CHANGES);
            int removed = random.nextInt(5);
            run(kind, arena -> {
                TestTree tree = kind.open(arena);
                for (int i = 0; i < CHANGES; i++) {
                    change(arena, tree, random.nextInt(range) - range / 2, removed, random);
                }
            });
        }
    }

    private void change(InfiniteArena arena, TestTree tree, int key, int removed, Random random) {
        if (random.nextInt(4) < removed) {
            expect(tree.remove(key) == (model.remove(key) != null));
        } else if (random.nextInt(2_000) == 0) {
            tree.clear();
            model.clear();
        } else if (random.nextInt(500) == 0) {
            arena.force();
        } else {
            long value = random.nextLong();
            expect(tree.put(key, value) == (model.put(key, value) == null));
            int other = random.nextInt(1 + Math.abs(key));
            expect(java.util.Objects.equals(tree.get(other), model.get(other)));
        }
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    @Tag("full")
    void changes_ascendingDescendingAndMixed_equalModelDownToNoEntries(TestTree.Kind kind) {
        int count = 3_000;
        IntUnaryOperator[] orders = {i -> i, i -> count - 1 - i, i -> (int) (i * 3_457L % count)};
        for (IntUnaryOperator adding : orders) {
            for (IntUnaryOperator removing : orders) {
                run(kind, arena -> {
                    TestTree tree = kind.open(arena);
                    for (int i = 0; i < count; i++) {
                        int key = adding.applyAsInt(i);
                        expect(tree.put(key, -key));
                        model.put(key, (long) -key);
                    }
                });
                run(kind, arena -> {
                    TestTree tree = kind.open(arena);
                    for (int i = 0; i < count; i++) {
                        int key = removing.applyAsInt(i);
                        expect(tree.remove(key));
                        model.remove(key);
                        if (i == count / 2) {
                            expect(tree.contents().equals(model));
                        }
                    }
                });
            }
        }
    }

    private void run(TestTree.Kind kind, java.util.function.Consumer<InfiniteArena> use) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            use.accept(arena);
            expect(kind.open(arena).size() == model.size());
            expect(kind.open(arena).contents().equals(model));
        }
        assertThat(TestTree.problems(base, 0)).isEmpty();
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            expect(kind.open(arena).size() == model.size());
            expect(kind.open(arena).contents().equals(model));
        }
    }

    /// An assertion that takes no time.
    private static void expect(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void change_withoutFreePages_hasNoEffect(TestTree.Kind kind) {
        TestFileSystem.assumeHoles(directory);
        NavigableMap<Integer, Long> model = new TreeMap<>();
        Random random = new Random(1);
        int refused = 0;
        try (MemoryBudget budget = MemoryBudget.root("disk", 0, 28 << 10)) {
            try (InfiniteArena arena = InfiniteArena.builder(base).reserved().budget(budget).build()) {
                TestTree tree = kind.open(arena);
                for (int i = 0; i < CHANGES; i++) {
                    int key = random.nextInt(KEYS);
                    boolean isRemoval = random.nextInt(100) < i * 100 / CHANGES;
                    try {
                        if (isRemoval) {
                            tree.remove(key);
                            model.remove(key);
                        } else {
                            tree.put(key, i);
                            model.put(key, (long) i);
                        }
                    } catch (CapacityExceededException _) {
                        refused++;
                        if (refused % 100 == 1) {
                            assertThat(tree.contents().equals(model)).isTrue();
                            assertThat(TestTree.problems(base, BootId.current())).isEmpty();
                        }
                        if (random.nextInt(20) == 0) {
                            arena.force();
                        }
                    }
                }
                assertThat(refused).isGreaterThan(100);
                assertThat(tree.contents().equals(model)).isTrue();
                assertThat(tree.size()).isEqualTo(model.size());
            }
        }
        assertThat(TestTree.problems(base, BootId.current())).isEmpty();
    }
}
