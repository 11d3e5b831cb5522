package dev.arenakit.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The families of contestants, which have one colour each all over a report.
final class Families {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    Families(List<Section> sections) {
        sections.stream().flatMap(Section::rows).map(Row::contestant).forEach(this::number);
    }

    /// {@return the families, in the order of their numbers}
    List<String> names() {
        return new ArrayList<>(numbers.keySet());
    }

    int number(String contestant) {
        return numbers.computeIfAbsent(family(contestant), _ -> numbers.size());
    }

    /// What stands before the first space or dot, except where people know several names of one house.
    static String family(String contestant) {
        String first = contestant.split("[ .(,]", 2)[0];
        return switch (first) {
            case "Arena", "slicingAllocator", "BufferStack", "ofConfined", "ofShared", "ofAuto", "Unsafe" -> "JDK";
            case "malloc", "calloc", "realloc", "memset" -> "libc";
            default -> first.isEmpty() ? contestant : first;
        };
    }
}
