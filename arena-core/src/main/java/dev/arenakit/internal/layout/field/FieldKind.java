package dev.arenakit.internal.layout.field;

import java.lang.foreign.MemorySegment;

/// The kinds of fields. A kind defines the type of the values, and each kind has a public class.
public enum FieldKind {
    /// A `byte`.
    BYTE("byteField", byte.class),
    /// A `short`.
    SHORT("shortField", short.class),
    /// A `char`.
    CHAR("charField", char.class),
    /// An `int`.
    INT("intField", int.class),
    /// A `long`.
    LONG("longField", long.class),
    /// A `float`.
    FLOAT("floatField", float.class),
    /// A `double`.
    DOUBLE("doubleField", double.class),
    /// A `boolean`.
    BOOLEAN("booleanField", boolean.class),
    /// An address.
    ADDRESS("addressField", MemorySegment.class),
    /// A constant of an enum.
    ENUM("enumField", Enum.class),
    /// The elements of an array of `int`.
    INT_ELEMENTS("intElements", int.class),
    /// The elements of an array of `long`.
    LONG_ELEMENTS("longElements", long.class);

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
