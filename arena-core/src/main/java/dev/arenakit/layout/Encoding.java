package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The encoding of text, which is UTF-8 without this annotation.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Encoding {
    /// {@return the encoding}
    Kind value();

    /// An encoding with code units of a fixed size.
    enum Kind {
        /// UTF-8.
        UTF_8,
        /// US-ASCII: seven bits of each byte.
        US_ASCII,
        /// UTF-16 in the byte order of the component.
        UTF_16
    }
}
