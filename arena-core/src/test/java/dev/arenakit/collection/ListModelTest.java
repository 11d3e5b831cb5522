package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares the lists with a list of java.util.
class ListModelTest {
    @AutoClose
    private final LongList list = LongList.owning(MallocArena::ofConfined);

    enum Action {
        ADD, SET, GET, ADD_ALL, TRUNCATE, SORT, SORT_RANGE, REMOVE_LAST, SWAP_REMOVE, SHRINK, CLEAR
    }

    record Operation(Action action, int index, long value) {}

    private static final class Subject implements OperationModel.Subject<Operation> {
        private final List<Long> model = new ArrayList<>();
        private final LongList longs = LongList.create(MallocArena.ofConfined());
        private final IntList ints = IntList.owning(MallocArena::ofConfined);
        private final DoubleList doubles = DoubleList.owning(Arena::ofConfined);

        @Override
        public void apply(Operation operation) {
            long value = operation.value;
            int index = model.isEmpty() ? 0 : operation.index % model.size();
            switch (operation.action) {
                case ADD -> add(value);
                case SET -> {
                    if (!model.isEmpty()) {
                        model.set(index, value);
                        longs.set(index, value);
                        ints.set(index, (int) value);
                        doubles.set(index, (double) value);
                    }
                }
                case GET -> {
                    if (!model.isEmpty()) {
                        assertAt(index);
                    }
                }
                case ADD_ALL -> {
                    for (int i = 0; i < index % 50; i++) {
                        model.add(value + i);
                    }
                    longs.addAll(model.subList(model.size() - index % 50, model.size())
                            .stream()
                            .mapToLong(Long::longValue)
                            .toArray());
                    for (int i = 0; i < index % 50; i++) {
                        ints.add((int) value + i);
                        doubles.add((double) (value + i));
                    }
                }
                case TRUNCATE -> {
                    model.subList(index, model.size()).clear();
                    longs.truncate(index);
                    ints.truncate(index);
                    doubles.truncate(index);
                }
                case SORT -> {
                    Collections.sort(model);
                    longs.sort();
                    ints.sort();
                    doubles.sort();
                    if (!model.isEmpty()) {
                        assertThat(model.get((int) longs.binarySearch(model.get(index)))).isEqualTo(model.get(index));
                        assertThat(ints.binarySearch(Integer.MAX_VALUE)).isEqualTo(-model.size() - 1L);
                        assertThat(doubles.binarySearch(-1e300)).isEqualTo(-1);
                    }
                }
                default -> change(operation.action, index, value);
            }
            assertThat(longs.size()).isEqualTo(model.size());
        }

        private void change(Action action, int index, long value) {
            switch (action) {
                case SORT_RANGE -> {
                    int to = index + (int) (Math.abs(value) % (model.size() - index + 1));
                    Collections.sort(model.subList(index, to));
                    longs.sort(index, to);
                    ints.sort(index, to);
                    doubles.sort(index, to);
                }
                case REMOVE_LAST -> {
                    if (!model.isEmpty()) {
                        long last = model.removeLast();
                        assertThat(longs.removeLast() == last && ints.removeLast() == last
                                && doubles.removeLast() == last).isTrue();
                    }
                }
                case SWAP_REMOVE -> {
                    if (!model.isEmpty()) {
                        Collections.swap(model, index, model.size() - 1);
                        long removed = model.removeLast();
                        assertThat(longs.swapRemove(index) == removed && ints.swapRemove(index) == removed
                                && doubles.swapRemove(index) == removed).isTrue();
                    }
                }
                case SHRINK -> {
                    longs.shrink();
                    ints.shrink();
                    doubles.shrink();
                    assertThat(doubles.byteSize()).isEqualTo(8L * Math.max(16, model.size()));
                }
                case CLEAR -> {
                    model.clear();
                    longs.clear();
                    ints.clear();
                    doubles.clear();
                }
                default -> throw new AssertionError(action);
            }
            assertThat(longs.indexOf(value) == model.indexOf(value) && ints.indexOf((int) value) == model.indexOf(value)
                    && doubles.indexOf((double) value) == model.indexOf(value)).isTrue();
        }

        private void add(long value) {
            model.add(value);
            longs.add(value);
            ints.add((int) value);
            doubles.add((double) value);
        }

        private void assertAt(int index) {
            long expected = model.get(index);
            if (longs.get(index) != expected || ints.get(index) != expected || doubles.get(index) != expected) {
                throw new AssertionError("index=" + index + ", expected=" + expected);
            }
        }

        @Override
        public void check() {
            long[] expected = model.stream().mapToLong(Long::longValue).toArray();
            assertThat(longs.toArray()).isEqualTo(expected);
            assertThat(longs.stream().toArray()).isEqualTo(expected);
            assertThat(ints.stream().asLongStream().toArray()).isEqualTo(expected);
            assertThat(doubles.stream().mapToLong(value -> (long) value).toArray()).isEqualTo(expected);
            assertThat(longs.asSegment().toArray(JAVA_LONG)).isEqualTo(expected);
        }

        @Override
        public void close() {
            longs.close();
            ints.close();
            doubles.close();
        }
    }

    @Test
    void operations_atRandom_agreeWithAList() {
        for (int seed = 0; seed < 31; seed++) {
            int bound = 1 << seed % 31;
            new OperationModel<>(Subject::new).run(seed, 1_000, random -> {
                int choice = random.nextInt(1000);
                Action action = choice == 0
                        ? Action.SORT
                        : choice < 5
                                ? Action.values()[4 + random.nextInt(7)]
                                : choice < 30 ? Action.ADD_ALL : Action.values()[choice % 3];
                return new Operation(action, random.nextInt(Integer.MAX_VALUE), random.nextInt(bound) - bound / 2);
            });
        }
    }

    @Test
    void sort_ofLongs_givesTheOrderOfArrays() {
        for (int size : new int[]{0, 1, 2, 63, 64, 65, 255, 1000, 100_000}) {
            long[] values = new Random(size).longs(size).map(value -> value >> (value & 63)).toArray();
            try (LongList list = LongList.owning(MallocArena::ofConfined)) {
                list.addAll(values);
                list.sort();
                Arrays.sort(values);
                assertThat(list.toArray()).isEqualTo(values);
            }
        }
    }

    @Test
    void sort_ofInts_givesTheOrderOfArrays() {
        for (int size : new int[]{0, 1, 2, 63, 64, 65, 1000, 100_000}) {
            int[] values = new Random(size).ints(size).map(value -> value >> (value & 31)).toArray();
            try (IntList list = IntList.owning(MallocArena::ofConfined)) {
                list.addAll(values);
                list.sort();
                Arrays.sort(values);
                assertThat(list.toArray()).isEqualTo(values);
            }
        }
    }

    @Test
    void sort_ofDoubles_givesTheOrderOfDoubleCompare() {
        double[] special = {0.0, -0.0, Double.NaN, Double.longBitsToDouble(0xFFF8_0000_0000_0001L),
                Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE, -Double.MAX_VALUE};
        for (int size : new int[]{0, 1, 8, 63, 64, 1000, 50_000}) {
            Random random = new Random(size);
            double[] values = new double[size];
            for (int i = 0; i < size; i++) {
                values[i] = random.nextInt(4) == 0
                        ? special[random.nextInt(special.length)]
                        : Double.longBitsToDouble(random.nextLong());
            }
            try (DoubleList list = DoubleList.owning(MallocArena::ofConfined)) {
                list.addAll(values);
                list.sort();
                Arrays.sort(values);
                // Double.equals, as Arrays.equals uses it: all NaNs are equal, and 0.0 and -0.0 are not.
                assertThat(Arrays.equals(list.toArray(), values)).isTrue();
            }
        }
    }

    @Test
    void binarySearch_missing_givesTheInsertionPoint() {
        list.addAll(10, 20, 30);
        assertThat(list.binarySearch(20)).isEqualTo(1);
        assertThat(list.binarySearch(5)).isEqualTo(-1);
        assertThat(list.binarySearch(25)).isEqualTo(-3);
        assertThat(list.binarySearch(35)).isEqualTo(-4);
    }

    @Test
    void getAndSet_withoutSuchAnIndex_throw() {
        list.add(1);
        assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.set(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> list.truncate(2));
        assertThatThrownBy(() -> list.swapRemove(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> list.sort(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(list.removeLast()).isEqualTo(1);
        assertThatThrownBy(list::removeLast).isInstanceOf(NoSuchElementException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> list.addAll(MemorySegment.ofArray(new byte[9])))
                .withMessage("Not a number of values: byteSize=9");
    }

    @Test
    void indexOf_doubles_comparesLikeDoubleCompare() {
        try (DoubleList list = DoubleList.owning(MallocArena::ofConfined)) {
            list.addAll(-0.0, Double.NaN, 0.0);
            assertThat(list.indexOf(0.0)).isEqualTo(2);
            assertThat(list.indexOf(Double.NaN)).isEqualTo(1);
            assertThat(list.indexOf(1)).isEqualTo(-1);
        }
    }

    @Test
    void copyTo_anySegment_copiesInNativeOrder() {
        list.addAll(1, 2, 3);
        long[] target = new long[4];
        list.copyTo(1, MemorySegment.ofArray(target), 8, 2);
        assertThat(target).containsExactly(0, 2, 3, 0);
        assertThat(list.toString()).isEqualTo("LongList: 3 values, 128 bytes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void addAll_ofTheListItself_addsItsValues(boolean isOwning) {
        TestAllocator allocator = new TestAllocator();
        try (LongList longs = isOwning ? LongList.owning(allocator) : LongList.create(allocator);
                IntList ints = isOwning ? IntList.owning(allocator) : IntList.create(allocator);
                DoubleList doubles = isOwning ? DoubleList.owning(allocator) : DoubleList.create(allocator)) {
            List<Long> model = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                model.add((long) i);
                longs.add(i);
                ints.add(i);
                doubles.add(i);
            }
            // Grows, does not grow, and grows by a part.
            for (int from : new int[]{0, 30, 3, 0}) {
                longs.addAll(longs.asSegment().asSlice(from * 8L));
                ints.addAll(ints.asSegment().asSlice(from * 4L));
                doubles.addAll(doubles.asSegment().asSlice(from * 8L));
                model.addAll(List.copyOf(model.subList(from, model.size())));
            }
            long[] expected = model.stream().mapToLong(Long::longValue).toArray();
            assertThat(longs.toArray()).isEqualTo(expected);
            assertThat(ints.stream().asLongStream().toArray()).isEqualTo(expected);
            assertThat(doubles.stream().mapToLong(value -> (long) value).toArray()).isEqualTo(expected);
        }
    }

    @Test
    void addAll_ofClosedMemory_addsNothing() {
        Arena arena = Arena.ofConfined();
        MemorySegment closed = arena.allocate(400, 8);
        arena.close();
        list.add(1);
        assertThatIllegalStateException().isThrownBy(() -> list.addAll(closed));
        assertThat(list.toArray()).containsExactly(1);
    }

    @Test
    void ensureCapacity_anyNumber_growsToIt() {
        list.add(1);
        list.ensureCapacity(Long.MIN_VALUE);
        list.ensureCapacity(-1);
        list.ensureCapacity(16);
        assertThat(list.byteSize()).isEqualTo(128);
        list.ensureCapacity(1000);
        assertThat(list.byteSize()).isEqualTo(8000);
        assertThatThrownBy(() -> list.ensureCapacity(Long.MAX_VALUE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(list.toArray()).containsExactly(1);
    }

    @Test
    void addAll_rangeOfAnArray_addsIt() {
        try (LongList longs = LongList.owning(MallocArena::ofConfined);
                IntList ints = IntList.owning(MallocArena::ofConfined);
                DoubleList doubles = DoubleList.owning(MallocArena::ofConfined)) {
            assertThat(longs.isEmpty() && ints.isEmpty() && doubles.isEmpty()).isTrue();
            longs.addAll(new long[]{1, 2, 3, 4}, 1, 2);
            ints.addAll(new int[]{1, 2, 3, 4}, 1, 2);
            doubles.addAll(new double[]{1, 2, 3, 4}, 1, 2);
            assertThat(longs.toArray()).containsExactly(2, 3);
            assertThat(ints.toArray()).containsExactly(2, 3);
            assertThat(doubles.toArray()).containsExactly(2, 3);
            assertThat(longs.isEmpty() || ints.isEmpty() || doubles.isEmpty()).isFalse();
            assertThatThrownBy(() -> longs.addAll(new long[3], 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> ints.addAll(new int[3], -1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> doubles.addAll(new double[3], 0, -1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
