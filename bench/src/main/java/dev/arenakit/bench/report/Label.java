package dev.arenakit.bench.report;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// How reports call a contestant that is a benchmark method of its own. Those that are arenas have the names of their
/// providers.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Label {
    /// {@return the name}
    String value();
}
