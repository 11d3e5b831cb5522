package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The number that stands in memory for a constant of an enum, or for a record of a [Union].
///
/// Numbers have a sign: what is 255 as an unsigned byte of C is -1 here, where the bits are the same.
///
/// Without it a constant is its ordinal, and a record its position in `permits`.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Value {
    /// {@return the number}
    long value();
}
