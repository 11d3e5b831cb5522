package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;

/// One of the classes that access fields.
///
/// @param method  the method of a mapper that returns its objects
/// @param type    the abstract class
/// @param carrier the type of the values
record FieldKind(String method, Class<? extends Field> type, Class<?> carrier) {
    static final FieldKind BYTE = new FieldKind("byteField", ByteField.class, byte.class);
    static final FieldKind SHORT = new FieldKind("shortField", ShortField.class, short.class);
    static final FieldKind CHAR = new FieldKind("charField", CharField.class, char.class);
    static final FieldKind INT = new FieldKind("intField", IntField.class, int.class);
    static final FieldKind LONG = new FieldKind("longField", LongField.class, long.class);
    static final FieldKind FLOAT = new FieldKind("floatField", FloatField.class, float.class);
    static final FieldKind DOUBLE = new FieldKind("doubleField", DoubleField.class, double.class);
    static final FieldKind BOOLEAN = new FieldKind("booleanField", BooleanField.class, boolean.class);
    static final FieldKind ADDRESS = new FieldKind("addressField", AddressField.class, MemorySegment.class);
    static final FieldKind ENUM = new FieldKind("enumField", EnumField.class, Enum.class);
    static final FieldKind INT_ELEMENTS = new FieldKind("intElements", IntElements.class, int.class);
    static final FieldKind LONG_ELEMENTS = new FieldKind("longElements", LongElements.class, long.class);

    static final List<FieldKind> ALL = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, BOOLEAN, ADDRESS, ENUM,
            INT_ELEMENTS, LONG_ELEMENTS);

    /// Returns whether the operations take the index of an element.
    boolean elements() {
        return method.endsWith("Elements");
    }

    /// The exception for a field of another type, which names the method that takes it.
    IllegalArgumentException wrongType(FieldPath place) {
        String methods = ALL.stream()
                .filter(kind -> FieldHandles.supports(place.type(), kind))
                .map(FieldKind::method)
                .collect(Collectors.joining(" or "));
        return place.refusal("Field is of another type: expected=" + carrier.getName() + (elements() ? "[]" : ""),
                methods.isEmpty() ? "take one of its parts, or read it with a record or a view" : "use " + methods);
    }
}
