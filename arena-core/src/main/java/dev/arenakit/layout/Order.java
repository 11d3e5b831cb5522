package dev.arenakit.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.ByteOrder;

/// The order of the bytes of a component, or of all components of a type that do not say otherwise.
///
/// What counts is what stands nearest: on the component, else on the type that declares it, else on the component that the
/// type is nested in. Without any of these it is the native order. UTF-16 text has an order, other text has none.
///
/// Import the constants statically, for `@Order(BIG_ENDIAN)`.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.METHOD})
public @interface Order {
    /// {@return the order}
    Endian value();

    /// A [ByteOrder], for annotations, which hold constants of an enum alone.
    enum Endian {
        /// [ByteOrder#BIG_ENDIAN]
        BIG_ENDIAN(ByteOrder.BIG_ENDIAN),
        /// [ByteOrder#LITTLE_ENDIAN]
        LITTLE_ENDIAN(ByteOrder.LITTLE_ENDIAN);

        private final ByteOrder order;

        Endian(ByteOrder order) {
            this.order = order;
        }

        /// {@return the order as the JDK has it}
        public ByteOrder order() {
            return order;
        }
    }
}
