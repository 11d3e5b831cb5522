package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// How reports call a question, which is a class of benchmarks.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Question {
    /// {@return a few words}
    String value();

    /// {@return the contestant that the others are compared with, as reports call it}
    String baseline() default Cell.BASELINE;
}
