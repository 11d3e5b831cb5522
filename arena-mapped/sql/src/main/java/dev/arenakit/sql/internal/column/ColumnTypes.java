package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.sql.internal.duckdb.DuckDbHeader;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the columns of a struct type.
public final class ColumnTypes {
    /// The largest number of elements of an ARRAY. A larger array is a LIST, which takes memory for the elements of its
    /// rows only, while the engine allocates an ARRAY with 2,048 rows for each thread.
    private static final long LARGEST_ARRAY = 1024;

    private ColumnTypes() {}

    /// Returns the columns. Members without values, such as empty structs, have no column.
    public static List<ColumnType.Column> of(StructType struct) {
        return columns(struct.members(), struct, LARGEST_ARRAY);
    }

    /// Returns the members that have columns.
    public static List<Member> withColumns(List<Member> members) {
        return members.stream().filter(member -> hasColumn(member.type())).toList();
    }

    private static boolean hasColumn(MemoryType type) {
        return switch (type) {
            case StructType struct -> !withColumns(struct.members()).isEmpty();
            case UnionType union -> !withColumns(union.members()).isEmpty();
            case ArrayType array -> hasColumn(array.element());
            default -> true;
        };
    }

    private static List<ColumnType.Column> columns(List<Member> members, StructType struct, long arrayLimit) {
        Set<String> names = new HashSet<>();
        List<ColumnType.Column> columns = new ArrayList<>();
        for (Member member : members) {
            type(member.type(), struct, arrayLimit).ifPresent(type -> columns
                    .add(new ColumnType.Column(SqlIdentifiers.unique(member.name(), names), member.byteOffset(),
                            type)));
        }
        return columns;
    }

    /// @param struct     the innermost struct that contains the value
    /// @param arrayLimit the largest number of elements of an ARRAY
    private static Optional<ColumnType> type(MemoryType type, StructType struct, long arrayLimit) {
        return switch (type) {
            case ValueType value -> Optional.of(fixed(engineType(value), value));
            case UnsignedType unsigned -> Optional.of(fixed(engineType(unsigned), unsigned));
            case AddressType address -> Optional.of(fixed(DuckDbHeader.TYPE_UBIGINT, address));
            case BitFieldType bits when bits.declared() instanceof EnumType constants ->
                Optional.of(constant(constants, bits));
            case BitFieldType bits -> Optional.of(bits.declared() instanceof ValueType value
                    ? fixed(engineType(value), bits)
                    : fixed(engineType((UnsignedType) bits.declared()), bits));
            case EnumType constants -> Optional.of(constant(constants, constants));
            case StringType text -> Optional.of(new ColumnType.Text(text));
            case ArrayType array -> array(array, struct, arrayLimit);
            case StructType nested -> struct(columns(nested.members(), nested, arrayLimit));
            case UnionType union -> union(union, struct, arrayLimit);
        };
    }

    private static Optional<ColumnType> struct(List<ColumnType.Column> members) {
        return members.isEmpty() ? Optional.empty() : Optional.of(new ColumnType.Struct(members));
    }

    private static Optional<ColumnType> array(ArrayType array, StructType struct, long arrayLimit) {
        boolean isList = array.count().isPresent() || array.length() == 0 || array.length() > arrayLimit;
        long limit = isList ? arrayLimit : arrayLimit / array.length();
        Optional<IntegerReader> count = array.count().flatMap(name -> reader(struct, name));
        return type(array.element(), struct, limit).map(element -> new ColumnType.Array(element,
                array.element().byteSize(), array.length(), count, isList));
    }

    private static Optional<ColumnType> union(UnionType union, StructType struct, long arrayLimit) {
        // A member without a column has no index. The values of the discriminator must have the indices of the columns.
        List<ColumnType.Column> members = columns(union.members(), struct, arrayLimit);
        if (members.isEmpty()) {
            return Optional.empty();
        }
        Optional<UnionType.Discriminator> discriminator = union.discriminator();
        Optional<IntegerReader> reader = discriminator.flatMap(found -> reader(struct, found.member()));
        List<Long> values = new ArrayList<>();
        int otherwise = -1;
        int index = 0;
        for (int i = 0; i < union.members().size(); i++) {
            if (type(union.members().get(i).type(), struct, arrayLimit).isEmpty()) {
                continue;
            }
            int at = i;
            boolean isOtherwise = discriminator.filter(found -> at == found.values().size()).isPresent();
            if (isOtherwise) {
                otherwise = index;
            } else {
                discriminator.ifPresent(found -> values.add(found.values().get(at)));
            }
            index++;
        }
        return Optional.of(new ColumnType.Union(members, reader, values, otherwise));
    }

    /// Returns the reader of the member to which an array or a union refers. It reads at the address of the struct that
    /// contains both.
    private static Optional<IntegerReader> reader(StructType struct, String path) {
        return struct.nested(path).map(member -> IntegerReader.of(member.type(), member.byteOffset()));
    }

    private static ColumnType fixed(int engineType, MemoryType type) {
        return new ColumnType.Fixed(engineType, engineByteSize(engineType), IntegerReader.of(type, 0));
    }

    private static ColumnType constant(EnumType constants, MemoryType stored) {
        List<String> names = new ArrayList<>(constants.constants().stream().map(EnumType.Constant::name).toList());
        constants.otherwise().ifPresent(names::add);
        // The engine has no enum without names.
        return names.isEmpty()
                ? new ColumnType.Fixed(DuckDbHeader.TYPE_BIGINT, Long.BYTES, IntegerReader.of(stored, 0))
                : new ColumnType.Constant(constants, IntegerReader.of(stored, 0), names);
    }

    private static int engineType(ValueType value) {
        return switch (value.carrier().getName()) {
            case "boolean" -> DuckDbHeader.TYPE_BOOLEAN;
            case "byte" -> DuckDbHeader.TYPE_TINYINT;
            case "short" -> DuckDbHeader.TYPE_SMALLINT;
            case "char" -> DuckDbHeader.TYPE_USMALLINT;
            case "int" -> DuckDbHeader.TYPE_INTEGER;
            case "long" -> DuckDbHeader.TYPE_BIGINT;
            case "float" -> DuckDbHeader.TYPE_FLOAT;
            default -> DuckDbHeader.TYPE_DOUBLE;
        };
    }

    private static int engineType(UnsignedType unsigned) {
        return switch ((int) unsigned.byteSize()) {
            case 1 -> DuckDbHeader.TYPE_UTINYINT;
            case 2 -> DuckDbHeader.TYPE_USMALLINT;
            case 3, 4 -> DuckDbHeader.TYPE_UINTEGER;
            default -> DuckDbHeader.TYPE_UBIGINT;
        };
    }

    private static int engineByteSize(int engineType) {
        return switch (engineType) {
            case DuckDbHeader.TYPE_BOOLEAN, DuckDbHeader.TYPE_TINYINT, DuckDbHeader.TYPE_UTINYINT -> Byte.BYTES;
            case DuckDbHeader.TYPE_SMALLINT, DuckDbHeader.TYPE_USMALLINT -> Short.BYTES;
            case DuckDbHeader.TYPE_INTEGER, DuckDbHeader.TYPE_UINTEGER, DuckDbHeader.TYPE_FLOAT -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }
}
