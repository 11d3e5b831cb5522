package dev.arenakit.spark.internal;

import dev.arenakit.spark.internal.RowCondition.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// Translates the predicates of Spark that a reader evaluates. Spark evaluates all others.
final class PredicateTranslator {
    private static final Set<DataType> COMPARED = Set.of(DataTypes.BooleanType, DataTypes.ByteType, DataTypes.ShortType,
            DataTypes.IntegerType, DataTypes.LongType, DataTypes.FloatType, DataTypes.DoubleType,
            DataTypes.StringType);

    private final StructType schema;
    private final Set<String> addedColumns;

    /// @param addedColumns the columns that have the same value in all rows of an image, which no reader evaluates
    PredicateTranslator(StructType schema, Set<String> addedColumns) {
        this.schema = schema;
        this.addedColumns = addedColumns;
    }

    Optional<RowCondition> translate(Expression expression) {
        if (!(expression instanceof Predicate predicate)) {
            return Optional.empty();
        }
        Expression[] children = predicate.children();
        return switch (predicate.name()) {
            case "AND" -> all(children).map(RowCondition.And::new);
            case "OR" -> all(children).map(RowCondition.Or::new);
            case "NOT" -> translate(children[0]).map(RowCondition.Not::new);
            case "ALWAYS_TRUE" -> Optional.of(RowCondition.always());
            case "IS_NOT_NULL" -> reference(children[0]).map(_ -> RowCondition.always());
            case "=", "<=>" -> comparison(children, Operator.EQUAL);
            case "<>" -> comparison(children, Operator.NOT_EQUAL);
            case "<" -> comparison(children, Operator.LESS);
            case "<=" -> comparison(children, Operator.LESS_OR_EQUAL);
            case ">" -> comparison(children, Operator.GREATER);
            case ">=" -> comparison(children, Operator.GREATER_OR_EQUAL);
            case "IN" -> in(children);
            default -> Optional.empty();
        };
    }

    private Optional<List<RowCondition>> all(Expression[] expressions) {
        List<RowCondition> translated = Arrays.stream(expressions).flatMap(each -> translate(each).stream()).toList();
        return translated.size() == expressions.length ? Optional.of(translated) : Optional.empty();
    }

    private Optional<RowCondition> comparison(Expression[] operands, Operator operator) {
        return operands[0] instanceof Literal<?> && operands.length == 2
                ? comparison(operands[1], operands[0], operator.flipped())
                : comparison(operands[0], operands[1], operator);
    }

    private Optional<RowCondition> comparison(Expression column, Expression value, Operator operator) {
        if (!(value instanceof Literal<?> literal) || literal.value() == null) {
            return Optional.empty();
        }
        return reference(column).filter(found -> found.type.equals(literal.dataType()) && COMPARED.contains(found.type))
                .map(found -> new RowCondition.Comparison(found.names, found.type, operator, literal.value()));
    }

    private Optional<RowCondition> in(Expression[] children) {
        List<RowCondition> equal = new ArrayList<>();
        for (int i = 1; i < children.length; i++) {
            comparison(children[0], children[i], Operator.EQUAL).ifPresent(equal::add);
        }
        return equal.size() == children.length - 1 ? Optional.of(new RowCondition.Or(equal)) : Optional.empty();
    }

    private record Reference(List<String> names, DataType type) {}

    /// A column, or a member within nested structs, that is never null.
    private Optional<Reference> reference(Expression expression) {
        if (!(expression instanceof NamedReference reference)) {
            return Optional.empty();
        }
        List<String> names = List.of(reference.fieldNames());
        DataType type = schema;
        for (String name : names) {
            if (!(type instanceof StructType struct) || addedColumns.contains(names.getFirst())) {
                return Optional.empty();
            }
            Optional<StructField> field = Arrays.stream(struct.fields())
                    .filter(each -> each.name().equals(name) && !each.nullable())
                    .findFirst();
            if (field.isEmpty()) {
                return Optional.empty();
            }
            type = field.get().dataType();
        }
        return Optional.of(new Reference(names, type));
    }
}
