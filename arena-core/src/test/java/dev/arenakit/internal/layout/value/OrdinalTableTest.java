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
}
