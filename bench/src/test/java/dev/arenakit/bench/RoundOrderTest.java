package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundOrderTest {
    private static final List<Cell> CELLS = cells();

    private static List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (String size : List.of("1", "2", "3", "4", "5")) {
            for (String candidate : List.of("a", "b", "c", "d")) {
                cells.add(new Cell("com.acme.Sorting", candidate, Map.of("size", size)));
            }
        }
        return List.copyOf(cells);
    }

    @Test
    void order_ofTheFirstRound_isThatOfTheSuite() {
        assertThat(SuiteRunner.order(CELLS, 1)).isEqualTo(CELLS);
    }

    @Test
    void order_ofLaterRounds_differsAndIsReproducible() {
        List<Cell> second = SuiteRunner.order(CELLS, 2);

        assertThat(second).containsExactlyInAnyOrderElementsOf(CELLS).isNotEqualTo(CELLS);
        assertThat(SuiteRunner.order(CELLS, 3)).isNotEqualTo(second);
        assertThat(SuiteRunner.order(CELLS, 2)).isEqualTo(second);
    }

    @Test
    void candidatesThatAreCompared_runCloseTogetherInEachRound() {
        for (int round = 1; round <= 10; round++) {
            List<Cell> cells = SuiteRunner.order(CELLS, round);
            for (int i = 0; i < cells.size(); i += 4) {
                assertThat(cells.subList(i, i + 4)).extracting(Cell::conditions)
                        .containsOnly(cells.get(i).conditions());
            }
        }
    }
}
