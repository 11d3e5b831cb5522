package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A union: members that share the same memory.
///
/// On a component whose type is a sealed interface of records, it names the discriminator: another component of the same
/// record, which identifies the record that is present.
///
/// ```java
/// record Circle(double radius) implements Shape {}
/// record Square(double side) implements Shape {}
/// sealed interface Shape permits Circle, Square {}
/// record Figure(int kind, @Union("kind") Shape shape) {}
/// ```
///
/// [Value] on a record defines the value of the discriminator for that record, or several values. The default is the
/// position of the record in `permits`, from 0, or, if the discriminator is an enum, the value of the constant at that
/// position. A record and a constant with [Otherwise] have no position: they are left out when positions are counted. A
/// write fails if the discriminator does not match the record.
///
/// A record with [Otherwise] is read for all other values. A record without components is a value without a body. If
/// the interface permits sealed interfaces, their records are in the union too, in the order of their declaration.
///
/// The members of the union in C have the names of the records, with the first letter in lower case; [Name] on a record
/// defines the name of its struct, not of the member. A view over a given struct accesses a union by one method for
/// each member.
///
/// A union without a discriminator is a view: an interface with this annotation, each of whose accessors reads and
/// writes one member. A record has the bytes of such a union, and names the interface, or a sealed interface of records:
///
/// ```java
/// @Union interface Data { int fd(); long u64(); }                    // union epoll_data
/// interface EventView { int events(); Data data(); }
/// record Event(int events, @Union(of = Data.class) byte[] data) {}
/// ```
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Union {
    /// The discriminator.
    ///
    /// @return the name, in Java or in C, of a component of type `byte`, `short`, `char`, `int`, `long` or an enum; or
    ///         a path to a component of a nested record, as in `header.type`; "" on a union without a discriminator
    String value() default "";

    /// The members of the union whose bytes a `byte[]` has.
    ///
    /// @return an interface with this annotation, or a sealed interface of records; `Object` for other components
    Class<?> of() default Object.class;
}
