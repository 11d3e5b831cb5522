package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.mapped.internal.catalog.BootId;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests trees whose memory cannot grow: each change that needs more pages than there are has no effect.
class ImageTreeFullTest extends InDirectory {
    private static final int CHANGES = 4_000;
    private static final int KEYS = 8_000;

    ImageTreeFullTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void change_withoutFreePages_hasNoEffect(TestTree.Kind kind) {
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
