package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The struct at an address. A segment that is read has its size, so that a mapper of the type reads it:
///
/// ```java
/// record Node(long id, @TargetType(Node.class) MemorySegment next) {}
///
/// Node second = NODES.get(first.next());
/// ```
///
/// The addresses in that struct have no targets in the type of this one. The assertion that this memory exists, and the
/// native access, are as for [TargetByteSize].
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface TargetType {
    /// {@return a record or the interface of a view}
    Class<?> value();
}
