package dev.arenakit.tool.where;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.compiler.WhereCondition;
import dev.arenakit.tool.where.compiler.WhereCondition.FloatingValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IndexValue;
import dev.arenakit.tool.where.compiler.WhereCondition.IntegerValue;
import dev.arenakit.tool.where.compiler.WhereCondition.TextValue;
import dev.arenakit.tool.where.compiler.WhereCondition.Value;
import dev.arenakit.tool.where.compiler.WhereFolding;
import dev.arenakit.tool.where.compiler.WhereInteger;
import dev.arenakit.tool.where.compiler.WhereOperator;
import dev.arenakit.tool.where.compiler.WherePlace;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Applies a predicate to a type: finds the fields, and checks that their types suit the comparisons.
public final class WhereBinder {
    private final StructType struct;

    private WhereBinder(StructType struct) {
        this.struct = struct;
    }

    public static WhereCondition bind(WhereExpression expression, StructType struct) throws WhereException {
        return new WhereBinder(struct).bind(expression);
    }

    private WhereCondition bind(WhereExpression expression) throws WhereException {
        return switch (expression) {
            case WhereExpression.Or or -> WhereFolding.any(bindAll(or.terms()));
            case WhereExpression.And and -> WhereFolding.all(bindAll(and.terms()));
            case WhereExpression.Not not -> new WhereCondition.Negation(bind(not.term()));
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
        if (operand instanceof WhereExpression.Path path && isField(path)) {
            Field field = field(path);
            if (isBoolean(field.type)) {
                return WhereConstantBinder.truth(field.value, true);
            }
            throw new WhereException(operand.column(), (path.word().isEmpty() ? "the field" : "'" + path.word() + "'")
                    + " is no boolean: add a comparison, such as == 1");
        }
        throw new WhereException(operand.column(), "a number or a text is no condition: add a comparison, such as ==");
    }

    private WhereCondition compare(WhereExpression.Comparison comparison) throws WhereException {
        boolean leftIsField = comparison.left() instanceof WhereExpression.Path path && isField(path);
        boolean rightIsField = comparison.right() instanceof WhereExpression.Path path && isField(path);
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
        Field field = field((WhereExpression.Path) first);
        // A constant of the enum takes precedence over a field of the same name.
        boolean isPair = leftIsField && rightIsField
                && !(second instanceof WhereExpression.Path path && isConstant(field.type, path.word()));
        if (isPair) {
            Field other = field((WhereExpression.Path) second);
            if (isConstant(other.type, ((WhereExpression.Path) first).word())) {
                return WhereConstantBinder.compare(other.value, other.type, operator.reversed(), first);
            }
            return pair(field, operator, other, second.column());
        }
        if (second instanceof WhereExpression.Path path && !WhereKeywords.ALL.contains(path.word())
                && !(field.value instanceof TextValue) && enumOf(field.type).isEmpty()) {
            throw missing(path);
        }
        return WhereConstantBinder.compare(field.value, field.type, leftIsField ? operator : operator.reversed(),
                second);
    }

    private WhereCondition pair(Field left, WhereOperator operator, Field right, int column) throws WhereException {
        boolean areTexts = left.value instanceof TextValue && right.value instanceof TextValue;
        boolean areBooleans = isBoolean(left.type) && isBoolean(right.type);
        boolean hasText = left.value instanceof TextValue || right.value instanceof TextValue;
        boolean hasBoolean = isBoolean(left.type) || isBoolean(right.type);
        if (operator.isMatching()) {
            throw new WhereException(column, "expected a regular expression in quotes after " + operator.symbol());
        }
        if ((hasText && !areTexts) || (hasBoolean && !areBooleans) || (areBooleans && !operator.isEquality())) {
            throw new WhereException(column, "fields of these types cannot be compared with " + operator.symbol());
        }
        if (areTexts) {
            return new WhereCondition.TextPair((TextValue) left.value, operator, (TextValue) right.value);
        }
        return new WhereCondition.Pair(left.value, operator, right.value);
    }

    /// The exception for a comparison without a field. The user has misspelled the name of a field or a constant.
    private WhereException missing(WhereExpression.Path path) {
        try {
            WherePathBinder.find(struct, path);
        } catch (WhereException e) {
            return e;
        }
        throw new AssertionError("There is such a field");
    }

    private WhereCondition withoutField(WhereExpression.Comparison comparison) throws WhereException {
        for (Operand operand : List.of(comparison.left(), comparison.right())) {
            if (operand instanceof WhereExpression.Path path) {
                throw missing(path);
            }
        }
        throw new WhereException(comparison.left().column(), "the comparison has no field");
    }

    /// Whether an operand is a field, not a keyword.
    private boolean isField(WhereExpression.Path path) {
        WhereExpression.Name first = (WhereExpression.Name) path.steps().getFirst();
        return struct.member(first.name()).isPresent() || path.word().equals(WhereKeywords.INDEX);
    }

    private Field field(WhereExpression.Path path) throws WhereException {
        if (path.word().equals(WhereKeywords.INDEX) && struct.member(WhereKeywords.INDEX).isEmpty()) {
            return new Field(new IndexValue(), ValueType.of(long.class));
        }
        WherePlace place = WherePathBinder.find(struct, path);
        return new Field(value(place, path.column()), place.type());
    }

    private static Value value(WherePlace place, int column) throws WhereException {
        MemoryType type = place.type();
        return switch (type) {
            case ValueType value when value.carrier() == float.class || value.carrier() == double.class ->
                new FloatingValue(place, (int) value.byteSize(), value.order() == ByteOrder.BIG_ENDIAN);
            case AddressType address -> new IntegerValue(place,
                    WhereInteger.ofBytes(address.byteSize(), address.order(), false));
            case StringType text -> new TextValue(place, text);
            case ArrayType _ -> throw new WhereException(column,
                    "the field is an array: add [0] for an element, or [*] for any");
            case StructType _,UnionType _ -> throw new WhereException(column,
                    "the field has fields: add a dot and the name of one");
            default -> {
                Optional<WhereInteger> form = WhereInteger.of(type);
                yield new IntegerValue(place, form.orElseThrow());
            }
        };
    }

    static boolean isBoolean(MemoryType type) {
        return WherePlace.declared(type) instanceof ValueType value && value.carrier() == boolean.class;
    }

    static Optional<EnumType> enumOf(MemoryType type) {
        return WherePlace.declared(type) instanceof EnumType constants ? Optional.of(constants) : Optional.empty();
    }

    private static boolean isConstant(MemoryType type, String word) {
        return enumOf(type).isPresent() && WhereConstantBinder.namesOf(enumOf(type).get()).contains(word);
    }

    /// A field and its type.
    ///
    /// @param type the type of the field; the value alone does not determine it
    private record Field(Value value, MemoryType type) {}
}
