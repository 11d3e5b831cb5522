package dev.arenakit.tool.where.compiler;

import dev.arenakit.tool.where.compiler.WhereCondition.AmongCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Checked;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IndexValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.TextValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import dev.arenakit.tool.where.compiler.WherePlace.Each;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Replaces many comparisons of the same integer by one search among the constants: `id == 1 || id == 2 || ...`, and
/// `id != 1 && id != 2 && ...`.
public final class WhereFolding {
    /// The smallest number of comparisons that a search replaces. Fewer comparisons are faster than a search.
    private static final int FEWEST = 8;

    private WhereFolding() {}

    /// Replaces terms. At least one term must be true.
    public static WhereCondition any(List<WhereCondition> terms) {
        return new WhereCondition.Any(fold(terms, WhereOperator.EQUAL));
    }

    /// Replaces terms. All terms must be true.
    public static WhereCondition all(List<WhereCondition> terms) {
        return new WhereCondition.All(fold(terms, WhereOperator.NOT_EQUAL));
    }

    private static List<WhereCondition> fold(List<WhereCondition> terms, WhereOperator operator) {
        Map<Value, SortedSet<Long>> constants = new LinkedHashMap<>();
        for (WhereCondition term : terms) {
            if (term instanceof Checked(Value value, IntegerCheck check) && isFoldable(value, check, operator)) {
                constants.computeIfAbsent(value, _ -> new TreeSet<>()).add(check.constant());
            }
        }
        constants.values().removeIf(values -> values.size() < FEWEST);
        if (constants.isEmpty()) {
            return terms;
        }
        List<WhereCondition> folded = new ArrayList<>();
        constants.forEach((value, values) -> folded
                .add(new Checked(value, new AmongCheck(List.copyOf(values), operator == WhereOperator.EQUAL))));
        for (WhereCondition term : terms) {
            boolean isFolded = term instanceof Checked(Value value, IntegerCheck check)
                    && isFoldable(value, check, operator) && constants.containsKey(value);
            if (!isFolded) {
                folded.add(term);
            }
        }
        return folded;
    }

    private static boolean isFoldable(Value value, IntegerCheck check, WhereOperator operator) {
        return check.operator() == operator && (operator == WhereOperator.EQUAL || isSingle(value));
    }

    /// Whether a struct has at most one such value. With several values, different elements of an array can differ from
    /// different constants.
    private static boolean isSingle(Value value) {
        return switch (value) {
            case IndexValue _ -> true;
            case IntegerValue integer -> integer.place().steps().stream().noneMatch(Each.class::isInstance);
            case FloatingValue _,TextValue _ -> false;
        };
    }
}
