package dev.arenakit.sql.internal;

import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.util.ArrayList;
import java.util.List;

/// The type of a column of a result, or of the elements or a member within a column.
///
/// @param id       a type of [DuckDbHeader]
/// @param stored   the type of the integer that represents a constant of an enum or a decimal number
/// @param scale    the number of decimal places of a decimal number
/// @param length   the number of elements of an ARRAY
/// @param names    the names of the constants of an enum, or of the members of a struct
/// @param children the types of the members of a struct, or of the elements of an array
public record ResultType(int id, int stored, int scale, long length, List<String> names, List<ResultType> children) {
    /// Reads a type of the engine, and destroys it.
    public static ResultType of(DuckDbLibrary engine, long type) {
        try {
            int id = (int) engine.call(DuckDbFunction.GET_TYPE_ID, type);
            return switch (id) {
                case DuckDbHeader.TYPE_DECIMAL -> new ResultType(id,
                        (int) engine.call(DuckDbFunction.DECIMAL_INTERNAL_TYPE, type),
                        (int) engine.call(DuckDbFunction.DECIMAL_SCALE, type), 0, List.of(), List.of());
                case DuckDbHeader.TYPE_ENUM ->
                    new ResultType(id, (int) engine.call(DuckDbFunction.ENUM_INTERNAL_TYPE, type),
                            0, 0, names(engine, DuckDbFunction.ENUM_DICTIONARY_VALUE, type,
                                    engine.call(DuckDbFunction.ENUM_DICTIONARY_SIZE, type)),
                            List.of());
                case DuckDbHeader.TYPE_LIST -> new ResultType(id, 0, 0, 0, List.of(),
                        List.of(of(engine, engine.call(DuckDbFunction.LIST_TYPE_CHILD_TYPE, type))));
                case DuckDbHeader.TYPE_ARRAY -> new ResultType(id, 0, 0,
                        engine.call(DuckDbFunction.ARRAY_TYPE_ARRAY_SIZE, type), List.of(),
                        List.of(of(engine, engine.call(DuckDbFunction.ARRAY_TYPE_CHILD_TYPE, type))));
                case DuckDbHeader.TYPE_STRUCT -> struct(engine, type);
                default -> new ResultType(id, 0, 0, 0, List.of(), List.of());
            };
        } finally {
            engine.destroyType(type);
        }
    }

    /// The name of a type whose values are not read, or the number of a type that only newer engines have.
    static String name(int id) {
        return switch (id) {
            case DuckDbHeader.TYPE_INTERVAL -> "INTERVAL";
            case DuckDbHeader.TYPE_MAP -> "MAP";
            case DuckDbHeader.TYPE_UNION -> "UNION";
            case DuckDbHeader.TYPE_BIT -> "BIT";
            case DuckDbHeader.TYPE_TIME_TZ -> "TIME_TZ";
            default -> String.valueOf(id);
        };
    }

    private static ResultType struct(DuckDbLibrary engine, long type) {
        long count = engine.call(DuckDbFunction.STRUCT_TYPE_CHILD_COUNT, type);
        List<ResultType> children = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            children.add(of(engine, engine.call(DuckDbFunction.STRUCT_TYPE_CHILD_TYPE, type, i)));
        }
        return new ResultType(DuckDbHeader.TYPE_STRUCT, 0, 0, 0,
                names(engine, DuckDbFunction.STRUCT_TYPE_CHILD_NAME, type, count), children);
    }

    private static List<String> names(DuckDbLibrary engine, DuckDbFunction function, long type, long count) {
        List<String> names = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long name = engine.call(function, type, i);
            names.add(DuckDbLibrary.text(name));
            engine.run(DuckDbFunction.FREE, name);
        }
        return names;
    }
}
