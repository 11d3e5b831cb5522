package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The order of a view's accessors in memory, by their names.
///
/// The order in which an interface declares its methods is not known at run time, so that it is said here. A view of a single
/// member needs no order, and neither does one over a [StructType] that is given.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Members {
    /// {@return the name of every accessor, inherited ones included, in the order of the struct}
    String[] value();
}
