package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(RoundOrder.of(CELLS, 1)).isEqualTo(CELLS);
    }

    @Test
    void order_ofLaterRounds_differsAndIsReproducible() {
        List<Cell> second = RoundOrder.of(CELLS, 2);

        assertThat(second).containsExactlyInAnyOrderElementsOf(CELLS).isNotEqualTo(CELLS);
        assertThat(RoundOrder.of(CELLS, 3)).isNotEqualTo(second);
        assertThat(RoundOrder.of(CELLS, 2)).isEqualTo(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    void candidates_overManyRounds_areAsOftenAtEachPlaceAndBehindEachOther(int candidates) {
        List<Cell> cells = IntStream.range(0, candidates)
                .mapToObj(i -> new Cell("com.acme.Sorting", "candidate" + i, Map.of()))
                .toList();
        int rounds = 2 * candidates;
        Map<List<Object>, Integer> places = new HashMap<>();
        Map<List<Object>, Integer> neighbours = new HashMap<>();
        for (int round = 1; round <= rounds; round++) {
            List<Cell> order = RoundOrder.of(cells, round);
            for (int place = 0; place < candidates; place++) {
                places.merge(List.of(order.get(place), place), 1, Integer::sum);
                if (place > 0) {
                    neighbours.merge(List.of(order.get(place - 1), order.get(place)), 1, Integer::sum);
                }
            }
        }
        assertThat(places).hasSize(candidates * candidates);
        assertThat(places.values()).containsOnly(2);
        assertThat(neighbours).hasSize(candidates * (candidates - 1));
        assertThat(neighbours.values()).allMatch(count -> count == 2);
    }

    @Test
    void jdks_runCloseTogetherAndTakeTurns() {
        List<Cell> cells = CELLS.stream().flatMap(cell -> Stream.of(cell.on("25"), cell.on("26"))).toList();

        assertThat(RoundOrder.of(cells, 1)).isEqualTo(cells);
        Map<String, Integer> first = new HashMap<>();
        for (int round = 1; round <= 10; round++) {
            List<Cell> order = RoundOrder.of(cells, round);
            first.merge(order.getFirst().params().getOrDefault(Cell.JDK, ""), 1, Integer::sum);
            for (int i = 0; i < order.size(); i += 8) {
                assertThat(order.subList(i, i + 8)).extracting(cell -> cell.params().get("size"))
                        .containsOnly(order.get(i).params().get("size"));
            }
        }
        assertThat(first).containsExactlyInAnyOrderEntriesOf(Map.of("25", 5, "26", 5));
    }

    @Test
    void candidatesThatAreCompared_runCloseTogetherInEachRound() {
        for (int round = 1; round <= 10; round++) {
            List<Cell> cells = RoundOrder.of(CELLS, round);
            for (int i = 0; i < cells.size(); i += 4) {
                assertThat(cells.subList(i, i + 4)).extracting(Cell::conditions)
                        .containsOnly(cells.get(i).conditions());
            }
        }
    }
}
