package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import dev.arenakit.spark.internal.RowCondition.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowConditionTest {
    private static final long[] VALUES = {Long.MIN_VALUE, -1, 0, 1, 3, 5, 9, Long.MAX_VALUE};
    private static final List<Operator> OPERATORS = List.of(Operator.values());

    private final Random random = new Random(1);

    @Test
    void range_ofRandomConditions_hasAllIndicesThatTheyAccept() {
        for (int round = 0; round < 2000; round++) {
            RowCondition condition = condition(3);
            RowRange range = condition.rows("rowid");
            for (long row = 0; row < 12; row++) {
                if (accepts(condition, row)) {
                    assertThat(row).as("%s", condition).isBetween(range.first(), range.end() - 1);
                }
            }
        }
    }

    @Test
    void range_ofAConjunction_isTheIntersection() {
        assertThat(new RowCondition.And(List.of(compare(Operator.GREATER, 3),
                new RowCondition.Not(compare(Operator.EQUAL, 7)), compare(Operator.LESS_OR_EQUAL, 9))).rows("rowid"))
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
            case RowCondition.Comparison comparison ->
                comparison.operator().accepts(Long.compare(row, (Long) comparison.literal()));
        };
    }
}
