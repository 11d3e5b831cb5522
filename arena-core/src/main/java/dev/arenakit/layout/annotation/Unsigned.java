package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// An unsigned integer of a given size.
///
/// ```java
/// record Packet(@Unsigned(2) int port, @Unsigned(6) long nanos, @Unsigned(8) long sequence) {}
/// ```
///
/// An integer that is smaller than the type of the component is extended with zeros when it is read, and checked when
/// it is written: a negative or too large value is refused. An integer of the size of the type is a bit pattern: its
/// largest values are negative in Java, and methods such as [Long#toUnsignedString(long)] convert it. It is printed
/// unsigned by dumps and exports.
///
/// A size of 1, 2, 4 or 8 bytes is also the alignment. Other sizes have an alignment of 1, and C has no type
/// for them.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Unsigned {
    /// {@return the size in bytes, from 1 to the size of the type of the component, which is `byte`, `short`, `char`,
    /// `int` or `long`, or an array of these}
    int value();
}
