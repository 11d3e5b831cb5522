package dev.arenakit.spark.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.mapped.internal.column.TableRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionPlanTest {
    private static final StructType TYPE = StructType.builder("Point")
            .add("x", ValueType.of(long.class))
            .add("y", ValueType.of(long.class))
            .build();

    private static ImageAllocation image(int number) {
        return new ImageAllocation(Path.of("/images/" + number), 1, "", TYPE,
                new TableRows(List.of(new AllocationPart(0, 0, 1 << 30)), false), -1);
    }

    @Test
    void partitions_ofRandomRanges_haveEachStructOnceInOrder() {
        Random random = new Random(1);
        for (int round = 0; round < 30; round++) {
            long partitionBytes = random.nextLong(1, 100_000);
            PartitionPlan plan = new PartitionPlan(partitionBytes);
            List<String> expected = new ArrayList<>();
            for (int number = 0; number < 1 + random.nextInt(20); number++) {
                List<RowRange> ranges = new ArrayList<>();
                long first = 0;
                for (int i = 0; i < random.nextInt(5); i++) {
                    first += 1 + random.nextInt(1000);
                    ranges.add(new RowRange(first, first + 1 + random.nextInt(1000), random.nextBoolean()));
                    first = ranges.getLast().end();
                }
                plan.add(image(number), true, ranges);
                expected.addAll(rows("/images/" + number, ranges));
            }
            List<PartitionPlan.ImagePartition> partitions = plan.partitions();
            List<String> found = new ArrayList<>();
            for (PartitionPlan.ImagePartition partition : partitions) {
                long bytes = 0;
                for (ImageSlice slice : partition.slices()) {
                    found.addAll(rows(slice.base(), slice.ranges()));
                    bytes += slice.ranges()
                            .stream()
                            .filter(range -> !range.isHole())
                            .mapToLong(range -> range.count() * TYPE.byteSize())
                            .sum();
                }
                assertThat(bytes).isLessThan(partitionBytes + TYPE.byteSize());
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    private static List<String> rows(String base, List<RowRange> ranges) {
        List<String> rows = new ArrayList<>();
        for (RowRange range : ranges) {
            for (long row = range.first(); row < range.end(); row++) {
                rows.add(base + " " + row + " " + range.isHole());
            }
        }
        return rows;
    }

    @Test
    void partitions_ofSmallImages_haveSeveral() {
        PartitionPlan plan = new PartitionPlan(4 << 20);
        for (int number = 0; number < 200; number++) {
            plan.add(image(number), false, List.of(new RowRange(0, 10, false)));
        }
        assertThat(plan.partitions()).hasSizeBetween(2, 20);
    }
}
