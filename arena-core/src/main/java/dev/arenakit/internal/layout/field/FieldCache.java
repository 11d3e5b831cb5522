package dev.arenakit.internal.layout.field;

import dev.arenakit.layout.type.StructType;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// The fields of one mapper. Each field has a class of its own. The cache keeps all fields; the paths that the program
/// uses limit their number.
public final class FieldCache {
    private final StructType struct;
    private final Class<?> inJava;
    private final MethodHandles.Lookup host;
    private final Map<Key, Object> fields = new ConcurrentHashMap<>();

    /// @param type the type of the values
    private record Key(FieldKind kind, Class<?> type, String path) {}

    /// Creates an empty cache.
    ///
    /// @param struct the struct
    /// @param inJava the record or view that the struct was mapped to
    /// @param host   a Lookup of the package that contains the classes of fields
    public FieldCache(StructType struct, Class<?> inJava, MethodHandles.Lookup host) {
        this.struct = struct;
        this.inJava = inJava;
        this.host = host;
    }

    /// Returns the path of a field.
    ///
    /// @throws IllegalArgumentException if there is no such field
    public FieldPath path(String path) {
        return FieldPath.of(struct, inJava, Objects.requireNonNull(path, "path"));
    }

    /// Returns the access to a field, always the same one for a kind and a path.
    ///
    /// @param fieldClass the class of the kind
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public <F> F field(FieldKind kind, Class<F> fieldClass, String path) {
        return field(kind, fieldClass, kind.carrier(), path);
    }

    /// Returns the access to a field whose values are of a given type.
    ///
    /// @param fieldClass the class of the kind
    /// @param type       the type of the values: an enum class instead of the carrier of [FieldKind#ENUM]
    /// @throws IllegalArgumentException if there is no such field, or if it is of another type
    public <F> F field(FieldKind kind, Class<F> fieldClass, Class<?> type, String path) {
        Objects.requireNonNull(path, "path");
        Key key = new Key(kind, Objects.requireNonNull(type, "type"), path);
        Object present = fields.get(key);
        if (present == null) {
            // Not inside an operation of the map: the static initialiser of an enum may ask for fields too.
            F created = FieldClassEmitter.emit(host, fieldClass, kind, path(path), type);
            present = fields.putIfAbsent(key, created);
            return present == null ? created : fieldClass.cast(present);
        }
        return fieldClass.cast(present);
    }
}
