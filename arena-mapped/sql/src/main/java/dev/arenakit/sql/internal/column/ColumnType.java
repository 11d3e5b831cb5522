package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import java.util.List;
import java.util.Optional;

/// The type of a column, or of a part of one, and where its values are in a struct.
public sealed interface ColumnType {
    /// A number or a boolean, which has a fixed size in the engine.
    ///
    /// @param engineType a type of [dev.arenakit.sql.internal.duckdb.DuckDbHeader]
    /// @param integer    reads the bits of the value
    record Fixed(int engineType, int engineByteSize, IntegerReader integer) implements ColumnType {}

    /// A text.
    record Text(StringType type) implements ColumnType {}

    /// A constant of an enum. The names are those of the constants, followed by that for other values.
    record Constant(EnumType type, IntegerReader integer, List<String> names) implements ColumnType {}

    /// An array, as a LIST or as an ARRAY.
    ///
    /// @param count reads the number of valid elements from the struct that contains the array, or empty if all are
    record Array(ColumnType element, long elementByteSize, long length, Optional<IntegerReader> count, boolean isList)
            implements
                ColumnType {}

    /// A nested struct.
    record Struct(List<Column> members) implements ColumnType {}

    /// A union.
    ///
    /// @param discriminator reads the value that identifies the valid member from the struct that contains the union,
    ///                      or empty if that is unknown
    /// @param values        the value for each member
    /// @param otherwise     the index of the member that is valid for all other values, or -1
    record Union(List<Column> members, Optional<IntegerReader> discriminator, List<Long> values, int otherwise)
            implements
                ColumnType {}

    /// A column, or a member of a nested struct or a union.
    record Column(String name, long byteOffset, ColumnType type) {}
}
