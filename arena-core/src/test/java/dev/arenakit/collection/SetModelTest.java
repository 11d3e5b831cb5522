package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares a set of longs and a set of ints with sets of java.util, under random operations.
class SetModelTest {
    enum Action {
        ADD, CONTAINS, REMOVE, TRY_ADD, ADD_ALL, REMOVE_IF, SHRINK, CLEAR
    }

    record Operation(Action action, int element) {}

    private static final class Subject implements OperationModel.Subject<Operation> {
        private final Set<Integer> model = new HashSet<>();
        private final LongSet longs = LongSet.owning(MallocArena::ofConfined);
        private final IntSet ints = IntSet.create(MallocArena.ofConfined());

        @Override
        public void apply(Operation operation) {
            int element = operation.element;
            switch (operation.action) {
                case ADD -> agree(model.add(element), longs.add(element), ints.add(element));
                case CONTAINS -> agree(model.contains(element), longs.contains(element), ints.contains(element));
                case REMOVE -> agree(model.remove(element), longs.remove(element), ints.remove(element));
                case TRY_ADD -> {
                    // Both sets have tables with the same number of slots.
                    boolean isAdded = longs.tryAdd(element);
                    agree(isAdded, isAdded, ints.tryAdd(element));
                    if (isAdded) {
                        model.add(element);
                    } else {
                        assertThat(model).doesNotContain(element);
                    }
                }
                case ADD_ALL -> addAll(element);
                case REMOVE_IF -> {
                    long before = model.size();
                    model.removeIf(each -> each % 3 == element % 3);
                    long removed = before - model.size();
                    assertThat(longs.removeIf(each -> each % 3 == element % 3)).isEqualTo(removed);
                    assertThat(ints.removeIf(each -> each % 3 == element % 3)).isEqualTo(removed);
                }
                case SHRINK -> {
                    longs.shrink();
                    ints.shrink();
                }
                case CLEAR -> {
                    model.clear();
                    longs.clear();
                    ints.clear();
                }
            }
            assertThat(longs.size()).isEqualTo(model.size());
            assertThat(ints.size()).isEqualTo(model.size());
        }

        private void addAll(int element) {
            try (LongSet more = LongSet.owning(MallocArena::ofConfined);
                    IntSet moreInts = IntSet.owning(MallocArena::ofConfined)) {
                for (int i = 0; i < 20; i++) {
                    model.add(element + i);
                    more.addAll(element + i);
                    moreInts.addAll(element + i);
                }
                longs.addAll(more);
                ints.addAll(moreInts);
            }
        }

        private static void agree(boolean expected, boolean ofLongs, boolean ofInts) {
            if (expected != ofLongs || expected != ofInts) {
                throw new AssertionError("expected=" + expected + ", longs=" + ofLongs + ", ints=" + ofInts);
            }
        }

        @Override
        public void check() {
            Set<Integer> ofLongs = new HashSet<>();
            longs.forEach(each -> assertThat(ofLongs.add((int) each)).as("visited once").isTrue());
            Set<Integer> ofInts = new HashSet<>();
            ints.forEach(each -> assertThat(ofInts.add(each)).as("visited once").isTrue());
            assertThat(ofLongs).isEqualTo(model);
            assertThat(ofInts).isEqualTo(model);
        }

        @Override
        public void close() {
            longs.close();
            ints.close();
        }
    }

    @Test
    void operations_atRandom_agreeWithAHashSet() {
        for (int seed = 0; seed < 20; seed++) {
            int elements = 1 << seed % 15;
            int shift = seed % 17;
            new OperationModel<>(Subject::new).run(seed, 4_000, random -> {
                int choice = random.nextInt(2_000);
                Action action = choice < 12 ? Action.values()[4 + choice % 4] : Action.values()[choice % 4];
                int element = random.nextInt(40) == 0
                        ? random.nextInt(4) * (Integer.MAX_VALUE / 3) - 1
                        : random.nextInt(elements) << shift;
                return new Operation(action, random.nextInt(10) == 0 ? -element : element);
            });
        }
    }

    @Test
    void add_anyInt_isFoundAfterGrowth() {
        int[] elements = new Random(1).ints(50_000).distinct().toArray();
        try (IntSet set = IntSet.owning(MallocArena::ofConfined)) {
            set.addAll(elements);
            set.addAll(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
            assertThat(Arrays.stream(elements).allMatch(set::contains)).isTrue();
            assertThat(set.contains(0) && set.contains(-1)).isTrue();
            assertThat(set.contains(Integer.MIN_VALUE) && set.contains(Integer.MAX_VALUE)).isTrue();
            // At least 8/5 of 4/3 slots, after a growth at that.
            assertThat(set.byteSize() / (double) set.size()).isLessThan(9);
        }
    }

    @Test
    void remove_byTheCursor_continuesWithTheNextElement() {
        try (IntSet ints = IntSet.owning(MallocArena::ofConfined);
                LongSet longs = LongSet.owning(MallocArena::ofConfined)) {
            for (int i = 0; i < 500; i++) {
                ints.add(i);
                longs.add(i);
            }
            for (IntSet.Cursor cursor = ints.cursor(); cursor.moveNext();) {
                cursor.remove();
                assertThatIllegalStateException().isThrownBy(cursor::remove);
            }
            for (LongSet.Cursor cursor = longs.cursor(); cursor.moveNext();) {
                cursor.remove();
            }
            assertThat(ints.isEmpty() && longs.isEmpty()).isTrue();
            longs.add(7);
            assertThatThrownBy(() -> longs.forEach(longs::remove)).isInstanceOf(ConcurrentModificationException.class);
            assertThat(longs.toString()).startsWith("LongSet: 0 elements, ");
        }
    }
}
