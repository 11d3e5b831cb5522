package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What a candidate that is a benchmark method does for the memory that it allocates. Candidates that are arenas have
/// what their providers declare.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Memory {
    /// {@return whether allocated memory reads as zeros}
    boolean zeroed() default false;

    /// {@return whether an access outside the bounds of a block fails}
    boolean checked() default false;

    /// {@return whether an access after the end of a block's lifetime fails}
    boolean scoped() default false;
}
