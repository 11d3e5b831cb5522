package dev.arenakit.tool.where;

import dev.arenakit.tool.where.WhereField.LongReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The condition on a struct that an integer field has one of several values, or none of them. The terms
/// `id == 1 || id == 2 || ...` become one such condition, and so do `id != 1 && id != 2 && ...`: the time of a search
/// grows with the logarithm of the number of terms.
///
/// @param isMember  whether the field must have one of the values, or none
/// @param values    the values, in any order; a value from 2^63 on is negative
/// @param condition compares the field with the values
record WhereMembership(WhereField field, boolean isMember, List<Long> values, WhereCondition condition)
        implements
            WhereCondition {
    static WhereMembership of(WhereField field, boolean isMember, List<Long> values) {
        LongReader reader = field.integer();
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        WhereCondition search = (bytes, at, index) -> Arrays.binarySearch(sorted,
                reader.get(bytes, at, index)) >= 0 == isMember;
        if (sorted.length == 1) {
            // One comparison is faster than a search.
            long value = sorted[0];
            search = (bytes, at, index) -> reader.get(bytes, at, index) == value == isMember;
        }
        return new WhereMembership(field, isMember, values, field.any(search));
    }

    @Override
    public boolean test(MemorySegment bytes, long at, long index) {
        return condition.test(bytes, at, index);
    }

    /// Joins the terms of `||` that test whether the same field has a value, or the terms of `&&` that test whether it
    /// has none. The joined term is at the place of the first one. In `codes[*] != 1 && codes[*] != 2`, different elements
    /// can satisfy the terms, so these terms stay separate.
    static List<WhereCondition> join(List<WhereCondition> terms, boolean areMembers) {
        Map<Object, List<WhereCondition>> groups = new LinkedHashMap<>();
        for (WhereCondition term : terms) {
            Object group = term instanceof WhereMembership one && one.isMember == areMembers
                    && (areMembers || one.field.isSingle()) ? one.field.path() : new Object();
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(term);
        }
        return groups.values().stream().map(group -> group.size() == 1 ? group.getFirst() : union(group)).toList();
    }

    private static WhereCondition union(List<WhereCondition> group) {
        List<WhereMembership> joined = group.stream().map(WhereMembership.class::cast).toList();
        WhereMembership first = joined.getFirst();
        return of(first.field, first.isMember, joined.stream().flatMap(one -> one.values.stream()).toList());
    }
}
