package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The number in memory that represents a constant of an enum, or a record of a [Union].
///
/// Numbers are signed: 255 in an unsigned byte of C is -1 here. Without this annotation a constant is represented by
/// its ordinal, and a record by its position in `permits`.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Value {
    /// {@return the number}
    long value();
}
