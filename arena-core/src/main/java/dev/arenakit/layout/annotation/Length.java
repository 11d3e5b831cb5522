package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The length of an array or of text.
///
/// ```java
/// record Sample(@Length(16) String name, @Length({3, 4}) int[][] matrix, @Length({10, 8}) String[] tags,
///         int count, @Length(value = 100, counted = "count") double[] values) {}
/// ```
///
/// Text may fill the whole array. In this case no NUL follows the text, and C code that calls `strlen` needs one more
/// code unit. A character takes one to four code units in UTF-8. The rest of the array is written as zeros, or as
/// spaces if [Encoding#padding] says so.
///
/// A counted array may have fewer elements than memory has space for. Another component is the number of its elements.
/// A write fails if that number is not the length of the array, and it does not change the elements after the last one.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Length {
    /// The lengths. Each is at least 1.
    ///
    /// @return the number of elements, or of code units of the encoding (two bytes in UTF-16, else one); for an array
    ///         of arrays one number for each dimension; for an array of text the number of elements and the number of
    ///         code units
    long[] value() default {};

    /// Whether the array is a flexible one, such as `int data[]` at the end of a struct in C: it is as long as the
    /// segment. It takes no memory in the struct. Only a view has such a member, which must be the last, and accesses
    /// it by index.
    ///
    /// ```java
    /// @Members({"count", "data"})
    /// interface Packet { int count(); @Length(flexible = true) int data(long index); }
    /// ```
    ///
    /// @return whether the array is flexible
    boolean flexible() default false;

    /// The number of elements of an array that may be shorter.
    ///
    /// @return the name, in Java or in C, of a component of the same record that is an integer; "" if all elements are
    ///         always present
    String counted() default "";
}
