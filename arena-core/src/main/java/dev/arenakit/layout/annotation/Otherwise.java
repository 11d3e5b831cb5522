package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The constant of an enum, or the record of a [Union], that is read for all values that have no other constant or
/// record.
///
/// ```java
/// enum Side { BUY, SELL, @Otherwise UNKNOWN }
///
/// sealed interface Body permits Login, Raw {}
/// @Value('L') record Login(long user) implements Body {}
/// @Otherwise record Raw(@Length(16) byte[] bytes) implements Body {}
/// record Message(byte kind, @Union("kind") Body body) {}
/// ```
///
/// The constant cannot be written, because its value is not known. The record can, if its discriminator is an integer:
/// this is a component beside the union, which has the value that was read. It must not be the value of another record
/// of the union. If the discriminator is an enum, the record can only be written with a constant that has a value: a
/// message that was read with the constant above is refused by a write. Declare the discriminator as an integer if such
/// messages must be written.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Otherwise {}
