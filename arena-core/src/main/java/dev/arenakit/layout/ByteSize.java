package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The size of an enum in memory, which is 4 bytes without this annotation, as in C. On a component it goes before that of
/// the enum itself.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface ByteSize {
    /// {@return the size in bytes: 1, 2, 4 or 8}
    int value();
}
