package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The fixed length of an array or of text.
///
/// Text may fill the whole array. In this case no NUL follows the text, and C code that calls `strlen` needs one more
/// code unit. A character takes one to four code units in UTF-8. The rest of the array is written as zeros.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Length {
    /// {@return the number of elements, or of code units of the encoding (two bytes in UTF-16, else one); at least 1}
    long value();
}
