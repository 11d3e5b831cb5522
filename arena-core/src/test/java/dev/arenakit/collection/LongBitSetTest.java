package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares the set with a set of java.util.
class LongBitSetTest {
    private enum Action {
        SET, CLEAR, FLIP, SET_RANGE, CLEAR_RANGE, NEXT_SET, NEXT_CLEAR, AND, OR, AND_NOT, CLEAR_ALL
    }

    private record Operation(Action action, int from, int to) {}

    private static final class Subject implements OperationModel.Subject<Operation> {
        private final BitSet model = new BitSet();
        private final LongBitSet bits = LongBitSet.owning(MallocArena::ofConfined);
        private final BitSet otherModel = new BitSet();
        private final LongBitSet other = LongBitSet.create(MallocArena.ofConfined());

        @Override
        public void apply(Operation operation) {
            int from = operation.from;
            int to = operation.to;
            switch (operation.action) {
                case SET -> {
                    model.set(from);
                    bits.set(from);
                    otherModel.set(to);
                    other.set(to);
                }
                case CLEAR -> {
                    model.clear(from);
                    bits.clear(from);
                }
                case FLIP -> {
                    model.flip(from);
                    bits.flip(from);
                }
                case SET_RANGE -> {
                    model.set(from, to);
                    bits.set(from, to);
                }
                case CLEAR_RANGE -> {
                    model.clear(from, to);
                    bits.clear(from, to);
                }
                case NEXT_SET -> assertThat(bits.nextSetBit(from)).isEqualTo(model.nextSetBit(from));
                case NEXT_CLEAR -> assertThat(bits.nextClearBit(from)).isEqualTo(model.nextClearBit(from));
                case AND -> {
                    model.and(otherModel);
                    bits.and(other);
                }
                case OR -> {
                    model.or(otherModel);
                    bits.or(other);
                }
                case AND_NOT -> {
                    model.andNot(otherModel);
                    bits.andNot(other);
                }
                case CLEAR_ALL -> {
                    model.clear();
                    bits.clear();
                }
            }
            if (bits.get(from) != model.get(from) || bits.get(to) != model.get(to)) {
                throw new AssertionError("Differ at one of " + from + ", " + to);
            }
        }

        @Override
        public void check() {
            assertThat(bits.cardinality()).isEqualTo(model.cardinality());
            assertThat(bits.isEmpty()).isEqualTo(model.isEmpty());
            BitSet visited = new BitSet();
            bits.forEach(index -> visited.set((int) index));
            assertThat(visited).isEqualTo(model);
        }

        @Override
        public void close() {
            bits.close();
            other.close();
        }
    }

    @Test
    void operations_atRandom_agreeWithABitSet() {
        for (int seed = 0; seed < 32; seed++) {
            int bound = 2 << seed % 16;
            new OperationModel<>(Subject::new).run(seed, 600, random -> {
                Action action = Action.values()[random.nextInt(50) == 0 ? random.nextInt(11) : random.nextInt(7)];
                int from = random.nextInt(bound);
                return new Operation(action, from, from + random.nextInt(bound));
            });
        }
    }

    @Test
    @Tag("full")
    void indexes_beyondInts_areBitsOfTheirOwn() {
        Random random = new Random(1);
        try (LongBitSet bits = LongBitSet.owning(MallocArena::ofConfined)) {
            long far = (1L << 31) + random.nextInt(1000);
            bits.set(far);
            assertThat(bits.nextSetBit(far - 100_000)).isEqualTo(far);
            assertThat(bits.get(far - (1L << 31))).isFalse();
            assertThat(bits.cardinality()).isEqualTo(1);
            assertThat(bits.get(Long.MAX_VALUE)).isFalse();
            assertThat(bits.nextSetBit(Long.MAX_VALUE)).isEqualTo(-1);
            assertThatThrownBy(() -> bits.set(Long.MAX_VALUE)).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void anyOperation_negativeIndex_isRefused() {
        try (LongBitSet bits = LongBitSet.owning(MallocArena::ofConfined)) {
            assertThatThrownBy(() -> bits.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> bits.nextSetBit(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> bits.set(3, 2)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("Not a range: from=3, to=2");
        }
    }
}
