package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The order of the cells in a round of forks.
///
/// The previous cell may change the figure of a cell, because the processor is warm or the page cache is full. If each
/// round had the same order, this would always favour the same candidates, and no number of forks would reveal it.
/// Candidates that are compared with each other run close together in any order.
final class RoundOrder {
    private RoundOrder() {}

    /// Returns the cells in the order of a round. A round always has the same order. The first round has the order of
    /// the suite, except that all candidates of the same conditions, with each JDK, follow each other.
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

    /// Returns a row of a Williams design (E. J. Williams, "Experimental designs balanced for the estimation of
    /// residual effects of treatments", Australian Journal of Scientific Research 2, 1949), whose first row is the list
    /// itself. There are as many rows as elements, or twice as many if the number of elements is odd. Over all rows,
    /// each element is equally often at each position, and equally often directly after each other element.
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
