package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The encoding of text. Without this annotation it is UTF-8, and text ends at the first NUL or at the end of the
/// array.
///
/// ```java
/// record Order(@Length(8) @Encoding(value = ASCII, padding = SPACE) String symbol,
///         @Length(30) @Encoding(prefix = 2) String note, @Length(12) @Encoding(truncate = true) String user) {}
/// ```
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Encoding {
    /// {@return the encoding}
    Kind value() default Kind.UTF_8;

    /// The name of a charset of one byte for each character, such as `windows-1252`, which replaces the encoding.
    ///
    /// @return the name, or "" if there is none
    String charset() default "";

    /// {@return the filler after text that is shorter than its array}
    Padding padding() default Padding.NUL;

    /// The size of the length that stands before the array. It is an unsigned number of code units in the byte order of
    /// the component. Text with such a length may contain NUL.
    ///
    /// @return the size in bytes: 1, 2 or 4; or 0 if there is none
    int prefix() default 0;

    /// Whether text that is too long is cut instead of being refused. The cut is never between the code units of a
    /// character. It can be between a character and a combining character that follows. Only the text that remains is
    /// checked.
    ///
    /// @return whether text is cut
    boolean truncate() default false;

    /// An encoding of text.
    enum Kind {
        /// UTF-8.
        UTF_8,
        /// US-ASCII; `@ascii` in [dev.arenakit.layout.text.LayoutText].
        ASCII,
        /// UTF-16 in the byte order of the component, without a byte order mark.
        UTF_16,
        /// UTF-32 in the byte order of the component, without a byte order mark.
        UTF_32
    }

    /// The filler after text that is shorter than its array.
    enum Padding {
        /// NULs: text ends at the first NUL, and cannot contain one.
        NUL,
        /// Spaces: text ends before the spaces at the end of the array, and cannot end with a space.
        SPACE
    }
}
