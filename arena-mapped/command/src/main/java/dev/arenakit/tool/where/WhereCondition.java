package dev.arenakit.tool.where;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A condition on a struct or on a field. A predicate that applies to one type is a tree of conditions: the conditions
/// on fields are its leaves.
@FunctionalInterface
interface WhereCondition {
    /// Whether the condition is true.
    ///
    /// @param at    the offset of the struct or the field
    /// @param index the index of the struct in its allocation
    boolean test(MemorySegment bytes, long at, long index);

    /// True if any term is true.
    static WhereCondition any(List<WhereCondition> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        WhereCondition[] all = terms.toArray(WhereCondition[]::new);
        return (bytes, at, index) -> {
            for (WhereCondition term : all) {
                if (term.test(bytes, at, index)) {
                    return true;
                }
            }
            return false;
        };
    }

    /// True if all terms are true.
    static WhereCondition all(List<WhereCondition> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        WhereCondition[] all = terms.toArray(WhereCondition[]::new);
        return (bytes, at, index) -> {
            for (WhereCondition term : all) {
                if (!term.test(bytes, at, index)) {
                    return false;
                }
            }
            return true;
        };
    }

    /// True if the term is false.
    static WhereCondition not(WhereCondition term) {
        return (bytes, at, index) -> !term.test(bytes, at, index);
    }

    /// The same result for all values.
    static WhereCondition always(boolean result) {
        return (_, _, _) -> result;
    }
}
