package dev.arenakit.mapped;

import dev.arenakit.testing.Threads;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests structures that one thread changes while another forces, closes or copies them.
class StructureRaceTest extends InDirectory {
    private static final long BOOT = 1;
    private static final int FORCES = 25;
    private static final int CLOSES = 10;
    private static final int CLOSES_OF_AN_IMAGE = 50;
    /// The number of changes that are made at most after the arena may be closed.
    private static final int CHANGES = 2_000;
    private static final int COPIES = 5;
    private static final int MANY = 1_000;
    private static final int MANY_COPIES = 100;
    /// The keys whose values a round replaces one after the other.
    private static final int KEYS = 20_000;

    private InfiniteArena open(Path image, long boot) {
        return InfiniteArena.builder(image).boot(boot).openOrCreate();
    }

    @ParameterizedTest
    @EnumSource
    void force_besideChanges_losesNothing(NumberedStructure.Kind kind) throws Exception {
        force(kind, FORCES);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void force_manyTimesBesideChanges_losesNothing(NumberedStructure.Kind kind) throws Exception {
        force(kind, 100 * FORCES);
    }

    private void force(NumberedStructure.Kind kind, int forces) throws Exception {
        NumberedStructure.Model model = new NumberedStructure.Model();
        try (InfiniteArena arena = open(base, BOOT)) {
            NumberedStructure structure = kind.open(arena);
            AtomicBoolean isForced = new AtomicBoolean();
            both(_ -> {
                try {
                    for (int i = 0; i < forces; i++) {
                        arena.force();
                    }
                } finally {
                    isForced.set(true);
                }
            }, _ -> {
                for (long n = 0; !isForced.get(); n++) {
                    kind.change(structure, n);
                    kind.change(model, n);
                }
            });
            assertSame(structure, model.contents());
        }
        using(open(base, BOOT + 1), arena -> assertSame(kind.open(arena), model.contents()));
    }

    private static void both(Threads.Work first, Threads.Work second) throws Exception {
        Threads.race(2, thread -> (thread == 0 ? first : second).run(thread));
    }

    private static void assertSame(NumberedStructure structure, Map<Integer, Long> contents) {
        assertThat(structure.contents().equals(contents)).isTrue();
        assertThat(structure.size()).isEqualTo(contents.size());
    }

    @ParameterizedTest
    @EnumSource
    void close_besideChanges_keepsAllThatHaveReturned(NumberedStructure.Kind kind) throws Exception {
        close(kind, CLOSES);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void close_manyTimesBesideChanges_keepsAllThatHaveReturned(NumberedStructure.Kind kind) throws Exception {
        close(kind, MANY);
    }

    private void close(NumberedStructure.Kind kind, int closes) throws Exception {
        NumberedStructure.Model model = new NumberedStructure.Model();
        long changes = 0;
        for (int i = 0; i < closes; i++) {
            if (i > 0 && i % CLOSES_OF_AN_IMAGE == 0) {
                ImageFiles.delete(base);
                model.contents().clear();
                changes = 0;
            }
            AtomicLong returned = new AtomicLong(changes);
            AtomicBoolean isEnded = new AtomicBoolean();
            long least = changes + i * 7L % 100;
            InfiniteArena arena = open(base, BOOT + i);
            NumberedStructure structure = kind.open(arena);
            both(_ -> {
                while (returned.get() < least && !isEnded.get()) {
                    Thread.onSpinWait();
                }
                arena.close();
            }, _ -> {
                try {
                    while (returned.get() < least + CHANGES) {
                        kind.change(structure, returned.get());
                        returned.incrementAndGet();
                    }
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("close");
                } finally {
                    isEnded.set(true);
                }
            });
            for (; changes < returned.get(); changes++) {
                kind.change(model, changes);
            }
            // Another boot: whatever the structure does not know to be complete is lost.
            try (InfiniteArena next = open(base, BOOT + i + 1)) {
                NumberedStructure reopened = kind.open(next);
                if (!reopened.contents().equals(model.contents())) {
                    // The change that was interrupted has happened.
                    kind.change(model, changes++);
                }
                assertSame(reopened, model.contents());
            }
            using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "LONG_TREE"})
    void copyTo_besideReplacedValues_isWholeOrIsRefused(NumberedStructure.Kind kind) throws Exception {
        copy(kind, COPIES);
    }

    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "LONG_TREE"})
    @Tag("slow")
    void copyTo_manyTimesBesideReplacedValues_isWholeOrIsRefused(NumberedStructure.Kind kind) throws Exception {
        copy(kind, MANY_COPIES);
    }

    private void copy(NumberedStructure.Kind kind, int copies) throws Exception {
        try (InfiniteArena arena = open(base, BOOT)) {
            NumberedStructure structure = kind.open(arena);
            for (int key = 0; key < KEYS; key++) {
                structure.put(key, 0);
            }
            arena.force();
            AtomicBoolean isCopied = new AtomicBoolean();
            both(_ -> {
                try {
                    for (int i = 0; i < copies; i++) {
                        Path copy = directory.resolve("copy" + i);
                        using(ArenaImage.open(base), image -> image.copyTo(copy));
                        checkCopy(kind, copy);
                        ImageFiles.delete(copy);
                    }
                } finally {
                    isCopied.set(true);
                }
            }, _ -> {
                for (long round = 1; !isCopied.get(); round++) {
                    for (int key = 0; key < KEYS; key++) {
                        structure.put(key, round);
                    }
                }
            });
        }
    }

    /// A copy that can be opened has a state that the structure had: the first values are of one round, and the others of
    /// the round before.
    private void checkCopy(NumberedStructure.Kind kind, Path copy) {
        try (InfiniteArena arena = open(copy, BOOT)) {
            Map<Integer, Long> contents = kind.open(arena).contents();
            assertThat(contents).hasSize(KEYS);
            long previous = contents.getOrDefault(0, -1L);
            int steps = 0;
            for (int key = 1; key < KEYS; key++) {
                long value = contents.getOrDefault(key, -1L);
                steps += value == previous ? 0 : 1;
                assertThat(value).isIn(previous, previous - 1);
                previous = value;
            }
            assertThat(steps).isLessThanOrEqualTo(1);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("may be incomplete");
        }
    }
}
