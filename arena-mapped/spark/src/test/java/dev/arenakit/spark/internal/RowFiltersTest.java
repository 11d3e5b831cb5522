package dev.arenakit.spark.internal;

import dev.arenakit.mapped.internal.column.RowRange;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualNullSafe;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.sources.Not;
import org.apache.spark.sql.sources.Or;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RowFiltersTest {
    private static final long[] VALUES = {Long.MIN_VALUE, -1, 0, 1, 3, 5, 9, Long.MAX_VALUE};
    private static final int ROWS = 12;
    private static final StructType COLUMNS = new StructType().add("rowid", DataTypes.LongType, false)
            .add("nullable", DataTypes.LongType, true)
            .add("decimal", DataTypes.createDecimalType(20, 0), false)
            .add("point", new StructType().add("x", DataTypes.IntegerType, false), false);

    private final Random random = new Random(1);

    @Test
    void rows_ofRandomFilters_haveAllIndicesThatTheyAccept() {
        OnHeapColumnVector rowIds = new OnHeapColumnVector(ROWS, DataTypes.LongType);
        for (int row = 0; row < ROWS; row++) {
            rowIds.putLong(row, row);
        }
        for (int round = 0; round < 2000; round++) {
            Filter filter = filter(3);
            assertThat(RowFilters.isSupported(filter, COLUMNS)).as("%s", filter).isTrue();
            IntPredicate test = RowFilters.test(filter, _ -> rowIds);
            RowRange range = RowFilters.rows(filter, "rowid");
            for (int row = 0; row < ROWS; row++) {
                if (test.test(row)) {
                    assertThat((long) row).as("%s", filter).isBetween(range.first(), range.end() - 1);
                }
            }
        }
    }

    @Test
    void rows_ofAComparison_areNoOthers() {
        assertThat(RowFilters.rows(new EqualTo("rowid", 5L), "rowid")).isEqualTo(new RowRange(5, 6, false));
        assertThat(RowFilters.rows(new LessThan("rowid", 5L), "rowid")).isEqualTo(new RowRange(0, 5, false));
        assertThat(RowFilters.rows(new GreaterThanOrEqual("rowid", 5L), "rowid"))
                .isEqualTo(new RowRange(5, Long.MAX_VALUE, false));
        assertThat(RowFilters.rows(new EqualTo("rowid", -1L), "rowid").count()).isZero();
        assertThat(RowFilters.rows(new GreaterThan("rowid", Long.MAX_VALUE), "rowid").count()).isZero();
    }

    @Test
    void rows_ofAConjunction_areTheIntersection() {
        Filter filter = new And(new GreaterThan("rowid", 3L),
                new And(new Not(new EqualTo("rowid", 7L)), new LessThanOrEqual("rowid", 9L)));
        assertThat(RowFilters.rows(filter, "rowid")).isEqualTo(new RowRange(4, 10, false));
    }

    @Test
    @SuppressWarnings("NullAway") // Spark passes null.
    void isSupported_ofValuesThatReadersDoNotCompare_isFalse() {
        @Nullable
        Object[] withNull = {1L, null};
        for (Filter filter : List.of(new EqualTo("nullable", 1L), new EqualTo("decimal", 1L), new EqualTo("point", 1),
                new EqualTo("rowid", 1), new EqualNullSafe("rowid", null), new In("rowid", withNull),
                new EqualTo("rowid.x", 1), new EqualTo("none", 1L))) {
            assertThat(RowFilters.isSupported(filter, COLUMNS)).as("%s", filter).isFalse();
        }
        assertThat(RowFilters.isSupported(new EqualTo("point.x", 1), COLUMNS)).isTrue();
    }

    private Filter filter(int depth) {
        long value = VALUES[random.nextInt(VALUES.length)];
        return switch (random.nextInt(depth > 0 ? 10 : 7)) {
            case 0 -> new EqualTo("rowid", value);
            case 1 -> new EqualNullSafe("rowid", value);
            case 2 -> new LessThan("rowid", value);
            case 3 -> new LessThanOrEqual("rowid", value);
            case 4 -> new GreaterThan("rowid", value);
            case 5 -> new GreaterThanOrEqual("rowid", value);
            case 6 -> new In("rowid", new Object[]{value, VALUES[random.nextInt(VALUES.length)]});
            case 7 -> new And(filter(depth - 1), filter(depth - 1));
            case 8 -> new Or(filter(depth - 1), filter(depth - 1));
            default -> new Not(filter(depth - 1));
        };
    }
}
