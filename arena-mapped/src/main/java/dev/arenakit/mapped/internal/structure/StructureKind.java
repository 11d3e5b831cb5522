package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A kind of structure. The catalog records each structure with a struct type that has the name of the kind.
public enum StructureKind {
    /// Longs to longs, hashed.
    LONG_MAP(1, "ImageLongMap"),
    /// Ordered keys.
    TREE(3, "ImageTree"),
    /// Rows with a column for each member. Their header is of another form, which [ColumnTableFormat] describes.
    COLUMN_TABLE(4, "ColumnTable");

    /// The type of maps of records, with code 2, which builds before the first release have written. No other kind may
    /// have its name or its code.
    private static final String UNREAD = "ImageMap";
    private static final String KEY = "key";
    private static final String VALUE = "value";

    private final int code;
    private final String typeName;

    StructureKind(int code, String typeName) {
        this.code = code;
        this.typeName = typeName;
    }

    /// The kind of a structure by the name of its recorded type.
    ///
    /// @throws IllegalArgumentException if the type is not the type of a structure, or this build does not read
    ///                                  structures of its kind
    public static StructureKind of(String name, String typeName) {
        for (StructureKind kind : values()) {
            if (kind.typeName.equals(typeName)) {
                return kind;
            }
        }
        if (typeName.equals(UNREAD)) {
            throw new IllegalArgumentException("This build does not read structures of this kind: name=" + name
                    + ", kind=" + typeName + "; read it with the build that has written it");
        }
        throw new IllegalArgumentException("Allocation is not a structure: name=" + name + ", type=" + typeName);
    }

    /// Whether a recorded type is the type of a structure that grows, also of a kind that this build does not read.
    public static boolean isRecordedFor(StructType type) {
        return (type.name().equals(UNREAD)
                || Arrays.stream(values()).anyMatch(kind -> kind.typeName.equals(type.name())))
                && type.members().size() == 2 && type.members().getFirst().name().equals(KEY)
                && type.members().getLast().name().equals(VALUE);
    }

    /// The number that the header contains.
    int code() {
        return code;
    }

    /// The name of the recorded type, which is the name of the public class.
    public String typeName() {
        return typeName;
    }

    /// The type that the catalog records: an entry, with its key and its value.
    public StructType recordedType(MemoryType key, MemoryType value) {
        return StructType.builder(typeName).add(KEY, key).add(VALUE, value).build();
    }

    /// The type that the catalog records for longs as keys and values.
    public StructType ofLongs() {
        MemoryType number = ValueType.of(long.class, ByteOrder.LITTLE_ENDIAN);
        return recordedType(number, number);
    }
}
