package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The length of an array or of text, which in memory is fixed.
///
/// Text takes up to that many code units, and may fill them all: then no NUL follows, and C that calls `strlen` needs one unit
/// more. A character of UTF-8 takes one to four units. What is left of the array is written as zeros.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Length {
    /// {@return the number of elements, or of code units of the encoding: bytes, but for UTF-16 pairs of bytes; at least 1}
    long value();
}
