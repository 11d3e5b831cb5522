package dev.arenakit.internal.layout.field;

import java.lang.foreign.MemorySegment;

/// The kinds of fields. A kind defines the type of the values, and each kind has a public class.
public enum FieldKind {
    BYTE("byteField", byte.class), SHORT("shortField", short.class), CHAR("charField", char.class), INT("intField",
            int.class), LONG("longField", long.class), FLOAT("floatField", float.class), DOUBLE("doubleField",
                    double.class), BOOLEAN("booleanField", boolean.class), ADDRESS("addressField",
                            MemorySegment.class), ENUM("enumField", Enum.class), INT_ELEMENTS("intElements",
                                    int.class), LONG_ELEMENTS("longElements", long.class);

    private final String method;
    private final Class<?> carrier;

    FieldKind(String method, Class<?> carrier) {
        this.method = method;
        this.carrier = carrier;
    }

    /// Returns the name of the method of a mapper that returns fields of this kind.
    String method() {
        return method;
    }

    /// Returns the type of the values.
    Class<?> carrier() {
        return carrier;
    }

    /// Returns whether the operations take the index of an element.
    boolean elements() {
        return this == INT_ELEMENTS || this == LONG_ELEMENTS;
    }
}
