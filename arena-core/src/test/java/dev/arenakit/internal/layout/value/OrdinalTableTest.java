package dev.arenakit.internal.layout.value;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// The table finds the position of each value and of no other one.
class OrdinalTableTest {
    @Test
    void table_randomValues_findsEachAndNoOther() {
        Random random = new Random(18);
        for (int i = 0; i < 200; i++) {
            int bits = 1 + random.nextInt(64);
            long[] values = LongStream.generate(() -> random.nextLong() >> (64 - bits))
                    .limit(1 + random.nextInt(50))
                    .distinct()
                    .toArray();
            OrdinalTable table = OrdinalTable.of(LongStream.of(values).mapToObj(List::of).toList(), -1, "");

            IntStream.range(0, values.length).forEach(p -> assertThat(table.position(values[p])).isEqualTo(p));
            for (long value : values) {
                for (long other : new long[]{value - 1, value + 1, ~value}) {
                    if (LongStream.of(values).noneMatch(known -> known == other)) {
                        assertThatIllegalArgumentException().isThrownBy(() -> table.position(other));
                    }
                }
            }
        }
    }

    @Test
    void table_severalValuesOfAPosition_findsAndAcceptsEach() {
        for (long far : new long[]{9, 1L << 40}) {
            OrdinalTable table = OrdinalTable.of(List.of(List.of(1L, 2L), List.of(5L), List.of(7L, far)), -1, "where");
            assertThat(LongStream.of(1, 2, 5, 7, far).mapToInt(table::position)).containsExactly(0, 0, 1, 2, 2);
            table.check(1, 0);
            table.check(2, 0);
            table.check(far, 2);
            assertThatIllegalArgumentException().isThrownBy(() -> table.check(5, 0))
                    .withMessageEndingWith("where, value=5, expected=one of [1, 2]");
            assertThatIllegalArgumentException().isThrownBy(() -> table.check(3, 1))
                    .withMessageEndingWith("where, value=3, expected=5");
            assertThatIllegalArgumentException().isThrownBy(() -> table.position(6))
                    .withMessageEndingWith("where, value=6, known=[1, 2, 5, 7, " + far + "]");
        }
    }

    @Test
    void table_otherValuesOfAPosition_areNoneOfTheOthers() {
        OrdinalTable table = OrdinalTable.of(List.of(List.of(1L, 2L), List.of(5L)), 2, "where");
        assertThat(LongStream.of(0, 1, 2, 3, 5).mapToInt(table::position)).containsExactly(2, 0, 0, 2, 1);
        table.check(3, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> table.check(2, 2))
                .withMessageEndingWith("value=2, expected=none of [1, 2, 5]");
    }
}
