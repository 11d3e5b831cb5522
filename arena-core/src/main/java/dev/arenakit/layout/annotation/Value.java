package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The number in memory that represents a constant of an enum, or a record of a [Union].
///
/// A record may have several numbers. It is then read for each of them, and written with the number that the
/// discriminator has:
///
/// ```java
/// @Value({'L', 'l'}) record Login(long user) implements Body {}
/// ```
///
/// A constant without this annotation has the next number after the previous constant, as in C, and the first constant
/// is 0:
///
/// ```java
/// enum State { @Value(-1) INVALID, NEW, OPEN, @Value(10) CLOSED, LOST }   // -1, 0, 1, 10, 11
/// ```
///
/// A constant with [Otherwise] is counted too, although it has no number. A record without this annotation is
/// represented by its position in `permits`, where a record with [Otherwise] is not counted.
///
/// An enum with a number that is too large for a signed integer of its size, and without negative ones, is unsigned:
/// 255 fits in one byte. The discriminator of a union is unsigned if its component is [Unsigned].
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Value {
    /// {@return the number, or the numbers of a record}
    long[] value();
}
