package dev.arenakit.layout;

import dev.arenakit.layout.type.StructType;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// The fields of one mapper, each of which has a class of its own. All of them are kept; their number is limited by the
/// number of paths that the program uses.
final class FieldCache {
    private final StructType struct;
    private final Class<?> inJava;
    private final Map<Key, Field> fields = new ConcurrentHashMap<>();

    /// @param type the type of the values
    private record Key(FieldKind kind, Class<?> type, String path) {}

    /// @param struct the struct
    /// @param inJava the record or view that the struct was mapped to
    FieldCache(StructType struct, Class<?> inJava) {
        this.struct = struct;
        this.inJava = inJava;
    }

    Field field(String path) {
        return new Field(place(path));
    }

    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    Field field(FieldKind kind, String path) {
        return field(kind, kind.carrier(), path);
    }

    /// @param type the type of the values, which for an enum is not that of the kind
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    Field field(FieldKind kind, Class<?> type, String path) {
        Objects.requireNonNull(path, "path");
        Key key = new Key(kind, Objects.requireNonNull(type, "type"), path);
        Field present = fields.get(key);
        if (present == null) {
            // Not inside an operation of the map: the static initialiser of an enum may ask for fields too.
            Field created = FieldClassEmitter.emit(kind, place(path), type);
            present = fields.putIfAbsent(key, created);
            return present == null ? created : present;
        }
        return present;
    }

    private FieldPath place(String path) {
        return FieldPath.of(struct, inJava, Objects.requireNonNull(path, "path"));
    }
}
