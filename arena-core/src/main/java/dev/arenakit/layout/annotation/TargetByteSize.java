package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The size of the memory at an address. A segment that is read has this size; without this annotation, or
/// [TargetType], its size is 0. In a struct that is given, such as a struct of jextract, the address may have any target.
///
/// The annotation asserts that this memory exists at every address that is read. It therefore requires native access:
/// without `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path, Java prints a warning. If native
/// access is denied, no mapper is created.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface TargetByteSize {
    /// {@return the size in bytes, at least 1}
    long value();
}
