package dev.arenakit.tool.where.compiler;

import dev.arenakit.tool.where.compiler.WhereCondition.All;
import dev.arenakit.tool.where.compiler.WhereCondition.Any;
import dev.arenakit.tool.where.compiler.WhereCondition.BytesCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Call;
import dev.arenakit.tool.where.compiler.WhereCondition.Checked;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IndexValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Negation;
import dev.arenakit.tool.where.compiler.WhereCondition.Pair;
import dev.arenakit.tool.where.compiler.WhereCondition.TextPair;
import dev.arenakit.tool.where.compiler.WhereCondition.TextValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import dev.arenakit.tool.where.compiler.WherePlace.Each;
import dev.arenakit.tool.where.compiler.WherePlace.Element;
import dev.arenakit.tool.where.compiler.WherePlace.Enter;
import dev.arenakit.tool.where.compiler.WherePlace.Move;
import dev.arenakit.tool.where.compiler.WherePlace.Require;
import dev.arenakit.tool.where.compiler.WherePlace.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Divides a large predicate into methods. The JVM interprets a method of more than 8000 bytes, and does not inline the
/// memory accesses of a long method.
///
/// The weight of a condition is the number of values that it reads. Reading a value takes up to 40 bytes of code.
final class WhereMethodSplit {
    /// The largest weight of a method. The method then has about 1000 bytes of code.
    private static final int MAX_WEIGHT = 32;

    private final List<WhereCondition> methods = new ArrayList<>();
    private final WhereCondition root;

    WhereMethodSplit(WhereCondition condition) {
        root = divide(condition);
    }

    /// The predicate. In a large predicate, calls of methods replace most terms.
    WhereCondition root() {
        return root;
    }

    /// The methods, in the order of their numbers.
    List<WhereCondition> methods() {
        return methods;
    }

    private WhereCondition divide(WhereCondition condition) {
        return switch (condition) {
            case Any any -> divide(any.terms(), Any::new);
            case All all -> divide(all.terms(), All::new);
            case Negation negation -> new Negation(divide(negation.term()));
            case Checked _,Pair _,TextPair _,Call _ -> condition;
        };
    }

    private WhereCondition divide(List<WhereCondition> terms, Function<List<WhereCondition>, WhereCondition> join) {
        List<WhereCondition> parts = new ArrayList<>();
        terms.forEach(term -> parts.add(divide(term)));
        while (weight(parts) > MAX_WEIGHT && (parts.size() > 1 || weight(parts.getFirst()) > 1)) {
            List<WhereCondition> groups = groups(parts, join);
            parts.clear();
            parts.addAll(groups);
        }
        return join.apply(List.copyOf(parts));
    }

    /// Replaces consecutive terms by calls.
    private List<WhereCondition> groups(List<WhereCondition> terms,
            Function<List<WhereCondition>, WhereCondition> join) {
        List<WhereCondition> groups = new ArrayList<>();
        List<WhereCondition> group = new ArrayList<>();
        for (WhereCondition term : terms) {
            if (!group.isEmpty() && weight(group) + weight(term) > MAX_WEIGHT) {
                groups.add(call(join.apply(List.copyOf(group))));
                group.clear();
            }
            group.add(term);
        }
        groups.add(call(join.apply(List.copyOf(group))));
        return groups;
    }

    private Call call(WhereCondition condition) {
        methods.add(condition);
        return new Call(methods.size() - 1);
    }

    private static int weight(List<WhereCondition> terms) {
        return terms.stream().mapToInt(WhereMethodSplit::weight).sum();
    }

    private static int weight(WhereCondition condition) {
        return switch (condition) {
            case Any any -> weight(any.terms());
            case All all -> weight(all.terms());
            case Negation negation -> weight(negation.term());
            case Checked(Value value, BytesCheck check) -> weight(value) + check.bytes().size() / Byte.SIZE;
            case Checked checked -> weight(checked.value());
            case Pair pair -> weight(pair.left()) + weight(pair.right());
            case TextPair pair -> weight(pair.left()) + weight(pair.right());
            case Call _ -> 1;
        };
    }

    private static int weight(Value value) {
        return switch (value) {
            case IndexValue _ -> 1;
            case IntegerValue integer -> weight(integer.place());
            case FloatingValue floating -> weight(floating.place());
            case TextValue text -> weight(text.place());
        };
    }

    private static int weight(WherePlace place) {
        return 1 + place.steps().stream().mapToInt(WhereMethodSplit::weight).sum();
    }

    private static int weight(Step step) {
        return switch (step) {
            case Move _,Enter _ -> 0;
            case Require require -> require.values().size();
            case Element element -> element.count().isPresent() ? 1 : 0;
            case Each _ -> 2;
        };
    }
}
