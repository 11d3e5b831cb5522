package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.UnionType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// The type of a column, or of the elements or a member within a column, and the place of the values in a struct.
public sealed interface ColumnType {
    /// The members of a struct or union, or the elements of an array, as a column that Arrow calls `item`.
    default List<Column> children() {
        return switch (this) {
            case Fixed _,Text _,Constant _ -> List.of();
            case Array array -> List.of(new Column("item", 0, array.element));
            case Struct struct -> struct.members;
            case Union union -> union.members;
        };
    }

    /// A number or a boolean.
    ///
    /// @param integer the bits of the value
    /// @param isBit   whether the values are bits, and not bytes
    record Fixed(NumberKind kind, StoredInteger integer, boolean isBit) implements ColumnType {}

    /// A text.
    ///
    /// @param dictionary the dictionary if the values are the indices of texts
    /// @param isView     whether the values are views, which have the same size
    record Text(StringType type, Optional<TextDictionary> dictionary, boolean isView) implements ColumnType {}

    /// A constant of an enum.
    ///
    /// @param names         the names of the constants, followed by the name of all other values, if there is one
    /// @param indexByteSize the size of the index of a name, or 0 if the values are the names
    record Constant(EnumType type, StoredInteger integer, List<String> names, int indexByteSize)
            implements
                ColumnType {}

    /// An array, whose elements are all valid or the first ones.
    ///
    /// @param count reads the number of valid elements from the struct that contains the array; empty if all elements
    ///              are valid
    /// @param isList whether rows have different numbers of elements in the column, or too many for a column that has
    ///               the same number in each row
    /// @param mostElements the largest number of elements of the lists of a column in a batch
    record Array(ColumnType element, long elementByteSize, long length, Optional<IntegerColumnReader> count,
            boolean isList, long mostElements)
            implements
                ColumnType {
        /// Returns the number of valid elements. Without a count, or with a negative count, all elements are valid, as
        /// in a dump.
        ///
        /// @param struct the offset of the struct that contains the array
        public long validLength(MemorySegment segment, long struct) {
            if (count.isEmpty()) {
                return length;
            }
            long valid = count.get().read(segment, struct);
            return valid >= 0 ? Math.min(valid, length) : length;
        }
    }

    /// A nested struct.
    record Struct(List<Column> members) implements ColumnType {}

    /// A union.
    ///
    /// @param discriminator reads the value that identifies the valid member from the struct that contains the union;
    ///                      empty if it is unknown
    record Union(UnionType type, List<Column> members, Optional<IntegerColumnReader> discriminator)
            implements
                ColumnType {}

    /// A column, or a member of a nested struct or a union.
    record Column(String name, long byteOffset, ColumnType type) {}
}
