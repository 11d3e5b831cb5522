package dev.arenakit.bench.report;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// One box of a table of results: a contestant answering a question under some conditions.
///
/// @param question name of the benchmark class
/// @param method   name of the benchmark method; one serves all arenas
/// @param params   the values of all parameters, by name; that of [#PROVIDER] names the arena
public record Cell(String question, String method, Map<String, String> params) {
    /// The contestant that arenas are compared with.
    public static final String BASELINE = "Arena.ofConfined";

    /// The parameter whose value is the name of an arena's provider.
    public static final String PROVIDER = "provider";

    /// The method that measures arenas.
    public static final String ARENA = "arena";

    /// Keeps a copy of the parameters, sorted by name.
    public Cell {
        params = Collections.unmodifiableSortedMap(new TreeMap<>(params));
    }

    /// {@return the benchmark as JMH names it}
    public String benchmark() {
        return question + "." + method;
    }

    /// {@return the name of the contestant: that of the provider, or of the method}
    public String contestant() {
        String provider = params.get(PROVIDER);
        return provider == null ? Labels.method(question, method) : provider;
    }

    /// {@return what is the same for all contestants that are compared: the parameters without the provider}
    public SortedMap<String, String> conditions() {
        SortedMap<String, String> conditions = new TreeMap<>(params);
        conditions.remove(PROVIDER);
        return conditions;
    }

    /// {@return the same for another arena}
    ///
    /// @param provider its name
    public Cell by(String provider) {
        SortedMap<String, String> others = conditions();
        others.put(PROVIDER, provider);
        return new Cell(question, method, others);
    }

    /// {@return whether the other is another contestant, or the same, under the same conditions}
    ///
    /// @param other a cell
    public boolean isComparableWith(Cell other) {
        return question.equals(other.question) && conditions().equals(other.conditions());
    }

    /// {@return whether this is the contestant that the others are compared with}
    public boolean isBaseline() {
        return contestant().equals(Labels.baseline(question));
    }
}
