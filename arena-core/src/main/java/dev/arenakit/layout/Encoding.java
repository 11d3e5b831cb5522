package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The encoding of text. Without this annotation it is UTF-8.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Encoding {
    /// {@return the encoding}
    Kind value();

    /// An encoding of text.
    enum Kind {
        /// UTF-8.
        UTF_8,
        /// US-ASCII.
        US_ASCII,
        /// UTF-16 in the byte order of the component, without a byte order mark.
        UTF_16
    }
}
