package dev.arenakit.bench.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// One box of a table of results: a contestant answering a question at given sizes.
///
/// @param question   name of the benchmark class
/// @param contestant name of the benchmark method
/// @param params     the values of the class's parameters, by name
public record Cell(String question, String contestant, Map<String, String> params) {
    /// The contestant that everything is compared with.
    public static final String BASELINE = "ofConfined";

    /// Keeps a copy of the parameters, sorted by name.
    public Cell {
        params = Collections.unmodifiableSortedMap(new TreeMap<>(params));
    }

    /// {@return the benchmark as JMH names it}
    public String benchmark() {
        return question + "." + contestant;
    }

    /// {@return the same cell for another contestant}
    ///
    /// @param other name of its benchmark method
    public Cell of(String other) {
        return new Cell(question, other, params);
    }

    /// {@return whether this is the contestant that everything is compared with}
    public boolean isBaseline() {
        return contestant.equals(BASELINE);
    }
}
