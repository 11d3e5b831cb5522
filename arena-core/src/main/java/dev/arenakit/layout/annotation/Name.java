package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name of a type, a component or a constant of an enum in C, if it differs from the name in Java.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD, ElementType.FIELD})
public @interface Name {
    /// {@return the name, which is a C identifier}
    String value();
}
