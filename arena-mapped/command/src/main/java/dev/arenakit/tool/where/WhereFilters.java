package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationStructs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The filters of a predicate for the types of an image's allocations. Types that the predicate does not apply to are
/// left out, with a message. If it applies to no type, the predicate is wrong.
public final class WhereFilters {
    /// The number of cached types. Only a program that wants to fill the reader's memory has more types.
    private static final int CAPACITY = 256;
    /// The largest number of types that have a message.
    private static final int MAX_MESSAGES = 3;

    private final Streams streams;
    private final Where where;
    private final Map<StructType, Optional<WhereFilter>> filters = new HashMap<>();
    /// The pending messages. They are printed as soon as the predicate applies to a type.
    private final List<String> messages = new ArrayList<>();
    private long refused;
    private boolean applies;
    private Optional<WhereException> reason = Optional.empty();

    public WhereFilters(Streams streams, Where where) {
        this.streams = streams;
        this.where = where;
    }

    /// Applies the predicate to the structs of an allocation.
    ///
    /// @return the filter, or empty if the predicate does not apply to the type
    public Optional<WhereFilter> filter(AllocationStructs structs) {
        return filter(structs.allocation().label(), structs.type())
                .map(filter -> structs.hasZeros() ? filter.withZeros() : filter);
    }

    /// Applies the predicate to the type of an allocation.
    ///
    /// @return the filter, or empty if the predicate does not apply to the type
    public Optional<WhereFilter> filter(String label, StructType type) {
        if (filters.size() == CAPACITY && !filters.containsKey(type)) {
            filters.clear();
        }
        return filters.computeIfAbsent(type, _ -> apply(label, type));
    }

    /// Ends a search, and prints the messages about types that were left out.
    ///
    /// @param isComplete whether everything was read; otherwise the predicate need not be wrong
    /// @throws WhereException if everything was read and the predicate applied to no type
    public void finish(boolean isComplete) throws WhereException {
        if (isComplete && !applies && reason.isPresent()) {
            throw reason.get();
        }
        messages.forEach(streams::report);
        messages.clear();
        if (refused > MAX_MESSAGES) {
            streams.report("and " + (refused - MAX_MESSAGES) + " other types");
        }
    }

    private Optional<WhereFilter> apply(String label, StructType type) {
        try {
            WhereFilter filter = where.on(type);
            applies = true;
            messages.forEach(streams::report);
            messages.clear();
            return Optional.of(filter);
        } catch (WhereException e) {
            reason = Optional.of(reason.filter(first -> first.column() >= e.column()).orElse(e));
            report(label + ": left out: " + e.problem());
            return Optional.empty();
        }
    }

    private void report(String message) {
        if (++refused > MAX_MESSAGES) {
            return;
        }
        if (applies) {
            streams.report(message);
        } else {
            messages.add(message);
        }
    }
}
