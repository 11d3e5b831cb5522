package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The order of the cells in a round of forks.
///
/// What runs before a cell may change its figure: a processor that is warm, or a page cache that is full. If the order
/// were the same in each round, this would favour the same candidates each time, and no number of forks would show it.
/// Candidates that are compared with each other run close together in any order.
final class RoundOrder {
    private RoundOrder() {}

    /// Returns the cells in the order of a round, which is always the same for the same round. The first round has the
    /// order of the suite, except that all candidates of the same conditions, with each JDK, follow each other.
    ///
    /// @param round number of the round, from 1
    static List<Cell> of(List<Cell> cells, int round) {
        Map<Object, List<Cell>> compared = new LinkedHashMap<>();
        cells.forEach(cell -> compared
                .computeIfAbsent(List.of(cell.benchmarkClass(), cell.withoutJdk().conditions()), _ -> new ArrayList<>())
                .add(cell));
        return row(List.copyOf(compared.values()), round - 1).stream()
                .flatMap(group -> row(group, round - 1).stream())
                .toList();
    }

    /// Returns a row of a Williams design (E. J. Williams, "Experimental designs balanced for the estimation of residual
    /// effects of treatments", Australian Journal of Scientific Research 2, 1949), whose first row is the list itself:
    /// over as many rows as there are elements, or twice as many if their number is odd, each element is as often at
    /// each place, and as often behind each other one.
    private static <T> List<T> row(List<T> elements, int number) {
        if (elements.isEmpty()) {
            return elements;
        }
        int size = elements.size();
        int[] first = IntStream.range(0, size)
                .map(place -> place % 2 == 0 ? (size - place / 2) % size : (place + 1) / 2)
                .toArray();
        int[] placeInFirst = new int[size];
        IntStream.range(0, size).forEach(place -> placeInFirst[first[place]] = place);
        List<T> row = IntStream.of(first)
                .mapToObj(index -> elements.get(placeInFirst[(index + number) % size]))
                .toList();
        return number / size % 2 == 1 && size % 2 == 1 ? row.reversed() : row;
    }
}
