package dev.arenakit.sql.internal.column;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Creates the engine's types of columns, which its C API calls logical types. The caller destroys them.
public final class LogicalTypes {
    private LogicalTypes() {}

    public static long create(DuckDbLibrary engine, ColumnType type) {
        return switch (type) {
            case ColumnType.Fixed fixed -> engine.createType(numberType(fixed.kind()));
            case ColumnType.Text _ -> engine.createType(DuckDbHeader.TYPE_VARCHAR);
            case ColumnType.Constant constant -> enumOf(engine, constant.names());
            case ColumnType.Array array -> arrayOf(engine, array);
            case ColumnType.Struct struct -> structOf(engine, struct.members());
            case ColumnType.Union union -> structOf(engine, union.members());
        };
    }

    @SuppressWarnings("EnumOrdinal") // The kinds of numbers have the order of the engine's types.
    private static int numberType(NumberKind kind) {
        return DuckDbHeader.TYPE_BOOLEAN + kind.ordinal();
    }

    private static long enumOf(DuckDbLibrary engine, List<String> names) {
        try (Arena arena = Arena.ofConfined()) {
            return engine.call(DuckDbFunction.CREATE_ENUM_TYPE, texts(names, arena), names.size());
        }
    }

    private static long arrayOf(DuckDbLibrary engine, ColumnType.Array array) {
        long element = create(engine, array.element());
        try {
            return array.isList()
                    ? engine.call(DuckDbFunction.CREATE_LIST_TYPE, element)
                    : engine.call(DuckDbFunction.CREATE_ARRAY_TYPE, element, array.length());
        } finally {
            engine.destroyType(element);
        }
    }

    private static long structOf(DuckDbLibrary engine, List<ColumnType.Column> members) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment types = arena.allocate(JAVA_LONG, members.size());
            long created = 0;
            try {
                for (; created < members.size(); created++) {
                    types.setAtIndex(JAVA_LONG, created, create(engine, members.get((int) created).type()));
                }
                long names = texts(members.stream().map(ColumnType.Column::name).toList(), arena);
                return engine.call(DuckDbFunction.CREATE_STRUCT_TYPE, types.address(), names, members.size());
            } finally {
                for (long i = 0; i < created; i++) {
                    engine.destroyType(types.getAtIndex(JAVA_LONG, i));
                }
            }
        }
    }

    private static long texts(List<String> names, Arena arena) {
        MemorySegment texts = arena.allocate(JAVA_LONG, names.size());
        for (int i = 0; i < names.size(); i++) {
            texts.setAtIndex(JAVA_LONG, i, arena.allocateFrom(names.get(i)).address());
        }
        return texts.address();
    }
}
