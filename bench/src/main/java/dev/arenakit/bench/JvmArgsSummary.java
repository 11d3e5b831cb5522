package dev.arenakit.bench;

import dev.arenakit.bench.report.Cell;
import dev.arenakit.bench.report.ReportFormat;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The arguments of the JVMs of a run, summed up for the report.
///
/// @param common  arguments of all JVMs
/// @param further further arguments of some JVMs, by the name of the candidate, or of the benchmark if all its
///        candidates have them
record JvmArgsSummary(List<String> common, Map<String, String> further) {
    static JvmArgsSummary of(Map<Cell, List<String>> byCell) {
        Set<String> common = new LinkedHashSet<>();
        byCell.values().forEach(common::addAll);
        byCell.values().forEach(common::retainAll);
        Map<String, Map<String, Set<String>>> further = new LinkedHashMap<>();
        byCell.forEach((cell, flags) -> {
            String own = String.join(" ", flags.stream().filter(flag -> !common.contains(flag)).toList());
            further.computeIfAbsent(ReportFormat.benchmark(cell.benchmarkClass()), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(cell.candidate(), _ -> new LinkedHashSet<>())
                    .add(own);
        });
        Map<String, String> named = new LinkedHashMap<>();
        further.forEach((benchmark, candidates) -> {
            if (candidates.values().stream().distinct().count() == 1) {
                add(named, benchmark, candidates.values().iterator().next());
            } else {
                candidates.forEach((candidate, flags) -> add(named, benchmark + ", " + candidate, flags));
            }
        });
        return new JvmArgsSummary(List.copyOf(common), named);
    }

    private static void add(Map<String, String> named, String name, Collection<String> flags) {
        String text = String.join(" or ", flags);
        if (!text.isEmpty()) {
            named.put(name, text);
        }
    }
}
