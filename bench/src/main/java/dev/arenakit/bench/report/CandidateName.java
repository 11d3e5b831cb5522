package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The name in reports of a candidate that is a benchmark method. Candidates that are arenas have the names of their
/// providers.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CandidateName {
    /// {@return the name}
    String value();
}
