package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The size of what an address points to: segments that are read have that size, and size 0 without this annotation.
///
/// Whoever says so vouches for the memory at every address that is read, so it takes native access: without
/// `--enable-native-access=dev.arenakit`, or `ALL-UNNAMED` on the class path, Java warns, and where it is denied no mapper is made.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface TargetByteSize {
    /// {@return the size in bytes, at least 1}
    long value();
}
