package dev.arenakit.layout.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.ByteOrder;

/// The byte order of a component, or of all components of a type that have no byte order of their own.
///
/// The annotation on the component takes precedence over the annotation on the type that declares the component, which
/// takes precedence over the annotation on the component that contains the type. The default is the native byte order.
/// Text in UTF-16 has a byte order; other text has none.
///
/// A static import of the constants permits `@Order(BIG_ENDIAN)`.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Order {
    /// {@return the byte order}
    Endian value();

    /// A [ByteOrder] that can be the value of an annotation.
    enum Endian {
        /// [ByteOrder#BIG_ENDIAN]
        BIG_ENDIAN(ByteOrder.BIG_ENDIAN),
        /// [ByteOrder#LITTLE_ENDIAN]
        LITTLE_ENDIAN(ByteOrder.LITTLE_ENDIAN);

        private final ByteOrder order;

        Endian(ByteOrder order) {
            this.order = order;
        }

        /// {@return the byte order as a [ByteOrder]}
        public ByteOrder order() {
            return order;
        }
    }
}
