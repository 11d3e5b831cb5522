package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A component that is one of several records, in the same place: its type is a sealed interface, and another component of
/// the same record tells which of the permitted records is there.
///
/// ```java
/// record Circle(double radius) implements Shape {}
/// record Square(double side) implements Shape {}
/// sealed interface Shape permits Circle, Square {}
/// record Figure(int kind, @Union("kind") Shape shape) {}
/// ```
///
/// Which value stands for which record is said by [Value] on the record. Without one it is the record's position in
/// `permits`, from 0, or where the other component is an enum, the value of the constant in that position. A figure whose
/// `kind` and `shape` do not agree is refused when it is written.
///
/// In C the members of the union are named like the records, the first letter in lower case; [Name] on a record names its
/// struct, not the member. A view shows a union by a method for each of its members, over a struct that is given.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Union {
    /// {@return the name, in Java, of the component that tells: a `byte`, `short`, `char`, `int`, `long` or an enum}
    String value();
}
