package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The alignment of a component, or the minimum alignment of a type.
///
/// On a component the alignment may also be smaller than in C. On a type it must be at least the alignment of the
/// components; the size of the type becomes a multiple of it.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Align {
    /// {@return the alignment in bytes, a power of two, at most 2^30}
    long value();
}
