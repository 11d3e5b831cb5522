package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Removes the padding between the components of a type, as `__attribute__((packed))` does in C. Each component is
/// aligned to one byte. A nested type keeps its own padding, unless it is packed too.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Packed {}
