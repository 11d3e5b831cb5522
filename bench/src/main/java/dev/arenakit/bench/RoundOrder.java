package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The order of the cells in a round of forks.
///
/// What runs before a cell may change its figure: a processor that is warm, or a page cache that is full. If the order
/// were the same in each round, this would favour the same candidates each time, and no number of forks would show it.
/// Candidates that are compared with each other run close together in any order.
final class RoundOrder {
    private RoundOrder() {}

    /// Returns the cells in the order of a round, which is always the same for the same round. The first round has the
    /// order of the suite.
    ///
    /// @param round number of the round, from 1
    static List<Cell> of(List<Cell> cells, int round) {
        if (round == 1) {
            return cells;
        }
        Map<Object, List<Cell>> compared = new LinkedHashMap<>();
        cells.forEach(cell -> compared
                .computeIfAbsent(List.of(cell.benchmarkClass(), cell.conditions()), _ -> new ArrayList<>())
                .add(cell));
        List<List<Cell>> groups = new ArrayList<>(compared.values());
        Random random = new Random(round);
        Collections.shuffle(groups, random);
        groups.forEach(group -> Collections.shuffle(group, random));
        return groups.stream().flatMap(List::stream).toList();
    }
}
