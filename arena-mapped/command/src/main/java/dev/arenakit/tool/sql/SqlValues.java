package dev.arenakit.tool.sql;

import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The values of results as text. Structs and arrays look as `arena show` prints them.
final class SqlValues {
    static final String NULL = "NULL";

    private SqlValues() {}

    /// The text of a value that is not NULL.
    static String text(Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigDecimal decimal -> decimal.toPlainString();
            case List<?> list -> list.stream().map(SqlValues::nested).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> members -> members.entrySet()
                    .stream()
                    .map(member -> member.getKey() + " = " + nested(member.getValue()))
                    .collect(Collectors.joining(", ", "{ ", " }"));
            default -> value.toString();
        };
    }

    private static String nested(@Nullable Object value) {
        return switch (value) {
            case null -> NULL;
            case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            default -> text(value);
        };
    }
}
