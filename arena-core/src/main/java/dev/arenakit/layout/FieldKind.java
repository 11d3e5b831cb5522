package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The classes that access fields, each with the type of its values.
enum FieldKind {
    BYTE("byteField", ByteField.class, byte.class, false), SHORT("shortField", ShortField.class, short.class,
            false), CHAR("charField", CharField.class, char.class, false), INT("intField", IntField.class, int.class,
                    false), LONG("longField", LongField.class, long.class, false), FLOAT("floatField", FloatField.class,
                            float.class, false), DOUBLE("doubleField", DoubleField.class, double.class, false), BOOLEAN(
                                    "booleanField", BooleanField.class, boolean.class, false), ADDRESS("addressField",
                                            AddressField.class, MemorySegment.class,
                                            false), ENUM("enumField", EnumField.class, Enum.class, false), INT_ELEMENTS(
                                                    "intElements", IntElements.class, int.class, true), LONG_ELEMENTS(
                                                            "longElements", LongElements.class, long.class, true);

    private final String method;
    private final Class<? extends Field> type;
    private final Class<?> carrier;
    private final boolean elements;

    FieldKind(String method, Class<? extends Field> type, Class<?> carrier, boolean elements) {
        this.method = method;
        this.type = type;
        this.carrier = carrier;
        this.elements = elements;
    }

    /// Returns the abstract class.
    Class<? extends Field> type() {
        return type;
    }

    /// Returns the type of the values.
    Class<?> carrier() {
        return carrier;
    }

    /// Returns whether the operations take the index of an element.
    boolean elements() {
        return elements;
    }

    /// The exception for a field of another type, which names the method that takes it.
    IllegalArgumentException wrongType(FieldPath place) {
        String methods = Arrays.stream(values())
                .filter(kind -> FieldHandles.supports(place.type(), kind))
                .map(kind -> kind.method)
                .collect(Collectors.joining(" or "));
        return place.refusal("Field is of another type: expected=" + carrier.getName() + (elements ? "[]" : ""),
                methods.isEmpty() ? "take one of its parts, or read it with a record or a view" : "use " + methods);
    }
}
