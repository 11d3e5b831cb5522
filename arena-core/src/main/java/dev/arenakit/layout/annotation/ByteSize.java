package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The size of an enum in memory. Without this annotation it is 4 bytes, as in C. An annotation on a component takes
/// precedence over an annotation on the enum.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface ByteSize {
    /// {@return the size in bytes: 1, 2, 4 or 8}
    int value();
}
