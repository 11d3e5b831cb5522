package dev.arenakit.spark.internal;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.internal.column.TableRows;
import dev.arenakit.spark.internal.RowCondition.Operator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowIdRangeTest {
    private static final long[] VALUES = {Long.MIN_VALUE, -1, 0, 1, 3, 5, 9, Long.MAX_VALUE};
    private static final List<Operator> OPERATORS = List.of(Operator.values());
    private final Random random = new Random(1);
    private static final StructType TYPE = StructType.builder("Point")
            .add("x", ValueType.of(long.class))
            .add("y", ValueType.of(long.class))
            .build();

    @Test
    void range_ofRandomConditions_hasAllIndicesThatTheyAccept() {
        for (int round = 0; round < 2000; round++) {
            RowCondition condition = condition(3);
            RowRange range = RowIdRange.of(condition, "rowid");
            for (long row = 0; row < 12; row++) {
                if (accepts(condition, row)) {
                    assertThat(row).as("%s", condition).isBetween(range.first(), range.end() - 1);
                }
            }
        }
    }

    @Test
    void range_ofAConjunction_isTheIntersection() {
        assertThat(RowIdRange.of(new RowCondition.And(List.of(compare(Operator.GREATER, 3),
                new RowCondition.Not(compare(Operator.EQUAL, 7)), compare(Operator.LESS_OR_EQUAL, 9))), "rowid"))
                .isEqualTo(new RowRange(4, 10, false));
    }

    private static RowCondition compare(Operator operator, long value) {
        return new RowCondition.Comparison(List.of("rowid"), DataTypes.LongType, operator, value);
    }

    private RowCondition condition(int depth) {
        return switch (random.nextInt(depth > 0 ? 5 : 2)) {
            case 0, 1 -> compare(OPERATORS.get(random.nextInt(OPERATORS.size())),
                    VALUES[random.nextInt(VALUES.length)]);
            case 2 -> new RowCondition.And(conditions(depth));
            case 3 -> new RowCondition.Or(conditions(depth));
            default -> new RowCondition.Not(condition(depth - 1));
        };
    }

    private List<RowCondition> conditions(int depth) {
        List<RowCondition> conditions = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            conditions.add(condition(depth - 1));
        }
        return conditions;
    }

    private static boolean accepts(RowCondition condition, long row) {
        return switch (condition) {
            case RowCondition.And and -> and.conditions().stream().allMatch(each -> accepts(each, row));
            case RowCondition.Or or -> or.conditions().stream().anyMatch(each -> accepts(each, row));
            case RowCondition.Not not -> !accepts(not.condition(), row);
            case RowCondition.Always _ -> true;
            case RowCondition.Comparison comparison ->
                comparison.operator().accepts(Long.compare(row, (Long) comparison.literal()));
        };
    }

    private static ImageAllocation image(int number) {
        return new ImageAllocation(Path.of("/images/" + number), 1, "", TYPE,
                new TableRows(List.of(new AllocationPart(0, 0, 1 << 30)), false));
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
            List<ImagePartition> partitions = plan.partitions();
            List<String> found = new ArrayList<>();
            for (ImagePartition partition : partitions) {
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
