package dev.arenakit.bench.report;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TargetTest {
    private static final Cell MINE = MeasurementTest.MINE;

    @ParameterizedTest
    @CsvSource({"25, true, false", "26, true, false", "27, true, false", "28, false, true", "29, false, true",
            "0, false, false"})
    void target_ofAGeneration_isAskedOfItsJdks(int jdk, boolean withoutPool, boolean withPool) {
        Results results = new Results(List.of(new Measurement(MINE, jdk, MeasurementTest.of(10).forks())));

        assertThat(of(JdkGeneration.WITHOUT_POOL).isAsked(results)).isEqualTo(withoutPool);
        assertThat(of(JdkGeneration.WITH_POOL).isAsked(results)).isEqualTo(withPool);
        assertThat(of(JdkGeneration.ANY).isAsked(results)).isTrue();
    }

    @Test
    void table_namesTheConditionsOfTheOpponentThatDiffer() {
        Cell mixed = MINE.with("before", "everything").with("workload", "1x32");
        Target target = new Target(mixed, mixed.with("before", "nothing"), 1, true);

        assertThat(Target.table(List.of(target), new Results(List.of()))).contains("  mine, after nothing  ");
    }

    private static Target of(JdkGeneration jdks) {
        return new Target(MINE, MINE, 1, true, jdks);
    }
}
