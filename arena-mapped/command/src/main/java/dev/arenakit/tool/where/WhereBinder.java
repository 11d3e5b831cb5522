package dev.arenakit.tool.where;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.WhereExpression.Path;
import dev.arenakit.tool.where.WhereField.DoubleReader;
import dev.arenakit.tool.where.WhereField.LongReader;
import java.util.ArrayList;
import java.util.List;

/// Applies a predicate to a type: finds the fields, and checks that their types suit the comparisons.
final class WhereBinder {
    private final StructType struct;

    private WhereBinder(StructType struct) {
        this.struct = struct;
    }

    static WhereCondition bind(WhereExpression expression, StructType struct) throws WhereException {
        return new WhereBinder(struct).bind(expression);
    }

    private WhereCondition bind(WhereExpression expression) throws WhereException {
        return switch (expression) {
            case WhereExpression.Or or -> WhereCondition.any(WhereMembership.join(bindAll(or.terms()), true));
            case WhereExpression.And and -> WhereCondition.all(WhereMembership.join(bindAll(and.terms()), false));
            case WhereExpression.Not not -> WhereCondition.not(bind(not.term()));
            case WhereExpression.Truth truth -> truth(truth.operand());
            case WhereExpression.Comparison comparison -> compare(comparison);
        };
    }

    private List<WhereCondition> bindAll(List<WhereExpression> terms) throws WhereException {
        List<WhereCondition> bound = new ArrayList<>();
        for (WhereExpression term : terms) {
            bound.add(bind(term));
        }
        return bound;
    }

    private WhereCondition truth(Operand operand) throws WhereException {
        if (operand instanceof Path path && isField(path)) {
            WhereField field = field(path);
            if (field.isBoolean()) {
                return field.any(WhereConstantBinder.truth(field, true));
            }
            throw new WhereException(operand.column(), (path.word().isEmpty() ? "the field" : "'" + path.word() + "'")
                    + " is no boolean: add a comparison, such as == 1");
        }
        throw new WhereException(operand.column(), "a number or a text is no condition: add a comparison, such as ==");
    }

    private WhereCondition compare(WhereExpression.Comparison comparison) throws WhereException {
        boolean leftIsField = comparison.left() instanceof Path path && isField(path);
        boolean rightIsField = comparison.right() instanceof Path path && isField(path);
        if (!leftIsField && !rightIsField) {
            return withoutField(comparison);
        }
        WhereOperator operator = comparison.operator();
        if (!leftIsField && operator.isMatching()) {
            throw new WhereException(comparison.left().column(),
                    "the field is on the left of " + operator.symbol() + ", the regular expression on the right");
        }
        Operand first = leftIsField ? comparison.left() : comparison.right();
        Operand second = leftIsField ? comparison.right() : comparison.left();
        WhereField field = field((Path) first);
        // A constant of the enum takes precedence over a field of the same name.
        boolean isPair = leftIsField && rightIsField
                && !(second instanceof Path path && isConstant(field, path.word()));
        if (isPair) {
            WhereField other = field((Path) second);
            if (isConstant(other, ((Path) first).word())) {
                return WhereConstantBinder.compare(other, operator.reversed(), first);
            }
            return pair(field, operator, other, second.column());
        }
        if (second instanceof Path path && !path.isKeyword() && !field.isText()
                && field.enumType().isEmpty()) {
            throw missing(path);
        }
        return WhereConstantBinder.compare(field, leftIsField ? operator : operator.reversed(), second);
    }

    private static WhereCondition pair(WhereField left, WhereOperator operator, WhereField right, int column)
            throws WhereException {
        boolean areBooleans = left.isBoolean() && right.isBoolean();
        boolean hasText = left.isText() || right.isText();
        boolean hasBoolean = left.isBoolean() || right.isBoolean();
        if (operator.isMatching()) {
            throw new WhereException(column, "expected a regular expression in quotes after " + operator.symbol());
        }
        if (left.storedType() instanceof StringType one && right.storedType() instanceof StringType two) {
            return WhereField.anyPair(left, right, (bytes, a, b, _) -> operator
                    .accepts(WhereText.decode(one, bytes, a).compareTo(WhereText.decode(two, bytes, b))));
        }
        if (hasText || (hasBoolean && !areBooleans) || (areBooleans && !operator.isEquality())) {
            throw new WhereException(column, "fields of these types cannot be compared with " + operator.symbol());
        }
        if (left.isFloatingPoint() || right.isFloatingPoint()) {
            DoubleReader one = left.number();
            DoubleReader two = right.number();
            return WhereField.anyPair(left, right,
                    (bytes, a, b, index) -> operator.accepts(one.get(bytes, a, index), two.get(bytes, b, index)));
        }
        LongReader one = left.integer();
        LongReader two = right.integer();
        boolean isOneUnsigned = left.form().isUnsignedLong();
        boolean isTwoUnsigned = right.form().isUnsignedLong();
        return WhereField.anyPair(left, right, (bytes, a, b, index) -> operator
                .accepts(compare(one.get(bytes, a, index), isOneUnsigned, two.get(bytes, b, index), isTwoUnsigned)));
    }

    /// Compares integers. Each can be an unsigned `long`.
    private static int compare(long left, boolean isLeftUnsigned, long right, boolean isRightUnsigned) {
        int signs = Boolean.compare(isLeftUnsigned || left >= 0, isRightUnsigned || right >= 0);
        return signs != 0 ? signs : Long.compareUnsigned(left, right);
    }

    /// The exception for a comparison without a field. The user has misspelled the name of a field or a constant.
    private WhereException missing(Path path) {
        try {
            WhereFieldFinder.find(struct, path);
        } catch (WhereException e) {
            return e;
        }
        throw new AssertionError("There is such a field");
    }

    private WhereCondition withoutField(WhereExpression.Comparison comparison) throws WhereException {
        for (Operand operand : List.of(comparison.left(), comparison.right())) {
            if (operand instanceof Path path) {
                throw missing(path);
            }
        }
        throw new WhereException(comparison.left().column(), "the comparison has no field");
    }

    /// Whether an operand is a field, not a keyword.
    private boolean isField(Path path) {
        WhereExpression.Name first = (WhereExpression.Name) path.steps().getFirst();
        return struct.member(first.name()).isPresent() || path.word().equals(Path.INDEX);
    }

    private WhereField field(Path path) throws WhereException {
        if (path.word().equals(Path.INDEX) && struct.member(Path.INDEX).isEmpty()) {
            return WhereField.INDEX;
        }
        WhereField field = WhereFieldFinder.find(struct, path);
        return switch (field.storedType()) {
            case ArrayType _ -> throw new WhereException(path.column(),
                    "the field is an array: add [0] for an element, or [*] for any");
            case StructType _,UnionType _ -> throw new WhereException(path.column(),
                    "the field has fields: add a dot and the name of one");
            default -> field;
        };
    }

    /// Whether a word is the name of a constant of the field's enum.
    private static boolean isConstant(WhereField field, String word) {
        return field.enumType().filter(type -> WhereConstantBinder.namesOf(type).contains(word)).isPresent();
    }
}
