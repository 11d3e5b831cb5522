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
    /// The largest number of types that have a message.
    private static final int MAX_MESSAGES = 3;

    private final Streams streams;
    private final Where where;
    private final Map<StructType, Optional<WhereFilter>> filters = new HashMap<>();
    private final List<String> messages = new ArrayList<>();
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
        return filters.computeIfAbsent(type, _ -> apply(label, type));
    }

    /// Ends a search, and prints the messages about types that were left out.
    ///
    /// @param isComplete whether everything was read; otherwise the predicate need not be wrong
    /// @throws WhereException if everything was read and the predicate applied to no type
    public void finish(boolean isComplete) throws WhereException {
        if (isComplete && reason.isPresent() && filters.values().stream().allMatch(Optional::isEmpty)) {
            throw reason.get();
        }
        messages.stream().limit(MAX_MESSAGES).forEach(streams::report);
        if (messages.size() > MAX_MESSAGES) {
            streams.report("and " + (messages.size() - MAX_MESSAGES) + " other types");
        }
    }

    private Optional<WhereFilter> apply(String label, StructType type) {
        try {
            return Optional.of(where.on(type));
        } catch (WhereException e) {
            reason = Optional.of(reason.filter(first -> first.column() >= e.column()).orElse(e));
            messages.add(label + ": left out: " + e.problem());
            return Optional.empty();
        }
    }
}
