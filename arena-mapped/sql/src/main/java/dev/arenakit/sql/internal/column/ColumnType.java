package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import java.util.List;
import java.util.Optional;

/// The type of a column, or of the elements or a member within a column, and the place of the values in a struct.
public sealed interface ColumnType {
    /// A number or a boolean, which has a fixed size in the engine.
    ///
    /// @param engineType a type of [DuckDbHeader]
    /// @param integer    reads the bits of the value
    record Fixed(int engineType, int engineByteSize, IntegerReader integer) implements ColumnType {}

    /// A text.
    record Text(StringType type) implements ColumnType {}

    /// A constant of an enum.
    ///
    /// @param names the names of the constants, followed by the name of all other values, if there is one
    record Constant(EnumType type, IntegerReader integer, List<String> names) implements ColumnType {}

    /// An array, as a LIST or as an ARRAY.
    ///
    /// @param count reads the number of valid elements from the struct that contains the array; empty if all elements
    ///              are valid
    record Array(ColumnType element, long elementByteSize, long length, Optional<IntegerReader> count, boolean isList)
            implements
                ColumnType {}

    /// A nested struct.
    record Struct(List<Column> members) implements ColumnType {}

    /// A union.
    ///
    /// @param discriminator reads the value that identifies the valid member from the struct that contains the union;
    ///                      empty if it is unknown
    /// @param values        the values of the discriminator, by the indices of the members
    /// @param otherwise     the index of the member that is valid for all other values, or -1
    record Union(List<Column> members, Optional<IntegerReader> discriminator, List<Long> values, int otherwise)
            implements
                ColumnType {}

    /// A column, or a member of a nested struct or a union.
    record Column(String name, long byteOffset, ColumnType type) {}
}
