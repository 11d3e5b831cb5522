package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The families of candidates. Each family has one colour in all charts of a report.
final class ChartFamilies {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    ChartFamilies(List<ReportSection> sections) {
        sections.stream().flatMap(ReportSection::rows).map(TableRow::candidate).forEach(this::number);
    }

    /// {@return the families, in the order of their numbers}
    List<String> names() {
        return new ArrayList<>(numbers.keySet());
    }

    int number(String candidate) {
        return numbers.computeIfAbsent(family(candidate), _ -> numbers.size());
    }

    /// Returns the name up to the first space, dot, bracket or comma, except for names that belong to the JDK or to
    /// libc.
    static String family(String candidate) {
        String first = candidate.split("[ .(,]", 2)[0];
        return switch (first) {
            case "Arena", "slicingAllocator", "BufferStack", "ofConfined", "ofShared", "ofAuto", "Unsafe" -> "JDK";
            case "malloc", "calloc", "realloc", "memset" -> "libc";
            default -> first.isEmpty() ? candidate : first;
        };
    }
}
