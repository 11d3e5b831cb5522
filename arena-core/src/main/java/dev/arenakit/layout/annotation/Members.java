package dev.arenakit.layout.annotation;

import dev.arenakit.layout.type.StructType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The order of the members of a view in memory, by the names of the accessors.
///
/// The declaration order of methods is not available at run time. A view of a single member does not need this
/// annotation, and neither does a view over a given [StructType].
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Members {
    /// {@return the names of all accessors, including inherited ones, in the order of the struct}
    String[] value();
}
