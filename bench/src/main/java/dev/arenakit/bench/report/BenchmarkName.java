package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name of a benchmark class in reports, and a description of its operation.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface BenchmarkName {
    /// The baseline of benchmarks that name no other.
    String ARENA_BASELINE = "Arena.ofConfined";

    /// {@return the name, a few words}
    String value();

    /// {@return the name in reports of the candidate that the others are compared with}
    String baseline() default ARENA_BASELINE;

    /// {@return what an operation does, a sentence}
    String measures() default "";
}
