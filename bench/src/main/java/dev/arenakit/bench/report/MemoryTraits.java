package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The memory traits of a candidate that is a benchmark method. For candidates that are arenas, the providers declare
/// the traits.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface MemoryTraits {
    /// {@return whether allocated memory reads as zeros}
    boolean zeroed() default false;

    /// {@return whether an access outside the bounds of a block fails}
    boolean checked() default false;

    /// {@return whether an access after the end of a block's lifetime fails}
    boolean scoped() default false;
}
