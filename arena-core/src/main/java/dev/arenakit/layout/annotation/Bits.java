package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A bit field: an integer, a boolean or an enum that occupies a number of bits.
///
/// ```java
/// // struct ip { uint8_t ihl : 4; uint8_t version : 4; … };
/// record Ip(@Bits(4) @Unsigned(1) int ihl, @Bits(4) @Unsigned(1) int version) {}
/// ```
///
/// The declared type of C has the size of the type of the component. With [Unsigned], it is an unsigned integer of the
/// size in that annotation. Bit fields are placed as gcc places them on x86-64: next to each other, and not across a
/// multiple of the size of the declared type, unless the struct is [Packed]. In big-endian [Order] they begin with the
/// most significant bit, as with `scalar_storage_order` in gcc.
///
/// A write checks that the value fits. It reads the bytes, changes the bits of the field, and writes the bytes: it is
/// not atomic, and a concurrent write to another field of the same bytes can be lost.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Bits {
    /// {@return the number of bits, from 1 to the bits of the declared type}
    int value();
}
