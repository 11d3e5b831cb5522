package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Finds the columns of struct types.
public final class ColumnTypes {
    /// Engines take memory and time for each column, before the first row.
    private static final int MOST_COLUMNS = 4096;

    private final long largestArray;
    private final long largestNullableArray;
    private final long mostElements;
    private final UnaryOperator<String> key;
    private final boolean isPortable;
    private final Set<String> textDictionaries;

    /// The place of a value in the columns.
    ///
    /// @param struct     the innermost struct that contains the value
    /// @param path       the names of the members, with dots
    /// @param arrayLimit the largest number of elements of an array that is not a list
    private record Place(StructType struct, String path, boolean isInArray, long arrayLimit) {
        Place member(String name) {
            return new Place(struct, path.isEmpty() ? name : path + "." + name, isInArray, arrayLimit);
        }
    }

    /// Sets what differs between engines.
    ///
    /// @param largestArray the largest number of elements of an array that is not a list; the elements of nested arrays
    ///                     count together
    /// @param largestNullableArray the largest number for an array in a union, whose column may be null
    /// @param mostElements the largest number of elements of the lists of a column in a batch
    /// @param key          returns the same text for names that the engine regards as equal; the columns of such members
    ///                     have other names
    public ColumnTypes(long largestArray, long largestNullableArray, long mostElements,
            UnaryOperator<String> key) {
        this(largestArray, largestNullableArray, mostElements, key, false, Set.of());
    }

    private ColumnTypes(long largestArray, long largestNullableArray, long mostElements,
            UnaryOperator<String> key, boolean isPortable, Set<String> textDictionaries) {
        this.largestArray = largestArray;
        this.largestNullableArray = largestNullableArray;
        this.mostElements = mostElements;
        this.key = key;
        this.isPortable = isPortable;
        this.textDictionaries = textDictionaries;
    }

    /// Returns the same settings with the forms that all readers of Arrow know. Booleans are bits, and texts are no
    /// views. The index of an enum's name is signed, because some languages have no unsigned integers. Enums in arrays
    /// are texts, because DuckDB reads 0 for a dictionary in a list of fixed size.
    ///
    /// @param textDictionaries the paths of members whose texts have dictionaries, except in arrays
    public ColumnTypes portable(Set<String> textDictionaries) {
        return new ColumnTypes(largestArray, largestNullableArray, mostElements, key, true, textDictionaries);
    }

    /// Returns the columns. Members without values, such as empty structs, have no column.
    ///
    /// @throws IllegalArgumentException if there are too many columns
    public List<ColumnType.Column> of(StructType struct) {
        long count = count(struct, new IdentityHashMap<>());
        if (count > MOST_COLUMNS) {
            throw new IllegalArgumentException("Type has too many columns: type=" + struct.name() + ", columns=" + count
                    + ", largest=" + MOST_COLUMNS + "; the columns of structs in structs count, too: select members, or"
                    + " export the structs as CSV or JSON");
        }
        return columns(struct.members(), new Place(struct, "", false, largestArray));
    }

    /// Returns the name of the column of the struct's index.
    String rowId(List<ColumnType.Column> columns) {
        return ColumnNames.rowId(columns, key);
    }

    /// Counts the columns, and the columns of columns. The text of a type is short if it repeats structs: it counts each
    /// struct once, and may have exponentially many columns.
    private static long count(MemoryType type, Map<MemoryType, Long> counted) {
        Long known = counted.get(type);
        if (known != null) {
            return known;
        }
        long count = switch (type) {
            case StructType struct -> count(struct.members(), counted);
            case UnionType union -> count(union.members(), counted);
            case ArrayType array -> 1 + count(array.element(), counted);
            default -> 1;
        };
        long limited = Math.min(count, Integer.MAX_VALUE);
        counted.put(type, limited);
        return limited;
    }

    private static long count(List<Member> members, Map<MemoryType, Long> counted) {
        return members.stream().mapToLong(member -> count(member.type(), counted)).sum();
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

    private List<ColumnType.Column> columns(List<Member> all, Place place) {
        List<Member> members = withColumns(all);
        List<String> columnNames = ColumnNames.unique(members.stream().map(Member::name).toList(), key);
        List<ColumnType.Column> columns = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            columns.add(new ColumnType.Column(columnNames.get(i), member.byteOffset(),
                    type(member.type(), place.member(columnNames.get(i)))));
        }
        return columns;
    }

    /// @param type a type that has a column
    private ColumnType type(MemoryType type, Place place) {
        return switch (type) {
            case ValueType value -> fixed(NumberKind.of(value.carrier()), value);
            case UnsignedType unsigned -> fixed(NumberKind.of(unsigned), unsigned);
            case RefType reference -> fixed(
                    reference.byteSize() == Integer.BYTES ? NumberKind.UINT32 : NumberKind.UINT64, reference);
            case AddressType address -> fixed(NumberKind.UINT64, address);
            case BitFieldType bits when bits.declared() instanceof EnumType constants ->
                constant(constants, bits, place);
            case BitFieldType bits -> bits.declared() instanceof ValueType value
                    ? fixed(NumberKind.of(value.carrier()), bits)
                    : fixed(NumberKind.of((UnsignedType) bits.declared()), bits);
            case EnumType constants -> constant(constants, constants, place);
            case StringType text -> new ColumnType.Text(text,
                    !place.isInArray && textDictionaries.contains(place.path)
                            ? Optional.of(new TextDictionary())
                            : Optional.empty(),
                    !isPortable);
            case ArrayType array -> array(array, place);
            case StructType nested -> new ColumnType.Struct(columns(nested.members(),
                    new Place(nested, place.path, place.isInArray, place.arrayLimit)));
            case UnionType union -> union(union, place);
        };
    }

    private ColumnType array(ArrayType array, Place place) {
        boolean isList = array.count().isPresent() || array.length() == 0 || array.length() > place.arrayLimit;
        long limit = isList ? place.arrayLimit : place.arrayLimit / array.length();
        Optional<IntegerColumnReader> count = array.count().flatMap(name -> reader(place.struct, name));
        return new ColumnType.Array(type(array.element(), new Place(place.struct, place.path, true, limit)),
                array.element().byteSize(), array.length(), count, isList, mostElements);
    }

    private ColumnType union(UnionType union, Place place) {
        List<ColumnType.Column> members = columns(union.members(), new Place(place.struct, place.path,
                place.isInArray, Math.min(place.arrayLimit, largestNullableArray)));
        Optional<IntegerColumnReader> reader = union.discriminator()
                .flatMap(found -> reader(place.struct, found.member()));
        return new ColumnType.Union(union, members, reader);
    }

    /// Returns the reader of the member to which an array or a union refers. It reads at the offset of the struct that
    /// contains both.
    private static Optional<IntegerColumnReader> reader(StructType struct, String path) {
        return struct.nested(path).map(IntegerColumnReader::of);
    }

    private ColumnType fixed(NumberKind kind, MemoryType type) {
        return new ColumnType.Fixed(kind, StoredInteger.ofBits(type), isPortable && kind == NumberKind.BOOLEAN);
    }

    private ColumnType constant(EnumType constants, MemoryType stored, Place place) {
        List<String> constantNames = new ArrayList<>(
                constants.constants().stream().map(EnumType.Constant::name).toList());
        constants.otherwise().ifPresent(constantNames::add);
        // An enum without names has its numbers.
        return constantNames.isEmpty()
                ? fixed(NumberKind.INT64, stored)
                : new ColumnType.Constant(constants, StoredInteger.ofBits(stored), constantNames,
                        isPortable && place.isInArray ? 0 : indexByteSize(constantNames.size()));
    }

    private int indexByteSize(int size) {
        return isPortable
                ? size <= Byte.MAX_VALUE + 1 ? Byte.BYTES : size <= Short.MAX_VALUE + 1 ? Short.BYTES : Integer.BYTES
                // The limits of DuckDB.
                : size <= 0xff ? Byte.BYTES : size <= 0xffff ? Short.BYTES : Integer.BYTES;
    }
}
