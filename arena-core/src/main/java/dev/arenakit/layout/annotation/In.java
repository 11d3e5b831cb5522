package dev.arenakit.layout.annotation;

import dev.arenakit.layout.Ref;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The allocation that a [Ref] points into: the base of its offset. The allocation is an array of the struct, so that
/// an offset within a struct is refused.
///
/// ```java
/// record Bucket(@In("trades") Ref<Trade> first) {}
///
/// Trade trade = bucket.first().follow(arena.names().get("trades"));
/// ```
///
/// Without this annotation, the base is the memory that contains the reference, which may hold anything.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface In {
    /// {@return the name of the allocation, which consists of printable characters without quotation marks}
    String value();
}
