package dev.arenakit.internal.layout.declaration;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.StructType;
import java.lang.annotation.Annotation;
import java.nio.ByteOrder;
import java.util.Optional;

/// The annotations of a class.
///
/// @param type the class: a record, a view, an enum or a sealed interface
record ClassAnnotations(Class<?> type) {
    private static final long LARGEST_ALIGNMENT = 1L << 30;

    /// Returns the name in C.
    String name() {
        Name name = type.getAnnotation(Name.class);
        return name == null ? type.getSimpleName() : name.value();
    }

    boolean packed() {
        return type.isAnnotationPresent(Packed.class);
    }

    Optional<Long> alignment() {
        Align align = type.getAnnotation(Align.class);
        return align == null ? Optional.empty() : Optional.of(align.value());
    }

    Optional<ByteSize> byteSize() {
        return annotation(ByteSize.class);
    }

    Optional<Order> ownOrder() {
        return annotation(Order.class);
    }

    ByteOrder order(ByteOrder inherited) {
        Order order = type.getAnnotation(Order.class);
        return order == null ? inherited : order.value().order();
    }

    void checkStruct() {
        checkAbsent(ByteSize.class, "it is for enums");
        if (!isOfUnion()) {
            checkAbsent(Value.class, "it is for records of a union, whose sealed interface they implement");
            checkAbsent(Otherwise.class, "it is for records of a union, whose sealed interface they implement");
        }
        try {
            if (alignment().isPresent()) {
                checkAlignment(alignment().get());
            }
            checkName(name());
        } catch (IllegalArgumentException e) {
            throw unmappable(e);
        }
    }

    private boolean isOfUnion() {
        for (Class<?> implemented : type.getInterfaces()) {
            if (implemented.isSealed()) {
                return true;
            }
        }
        return false;
    }

    void checkUnion() {
        checkAbsent(ByteSize.class, "it is for enums");
        checkAbsent(Value.class, "annotate the permitted records");
        checkAbsent(Packed.class, "annotate the permitted records, or the record that contains the union");
        checkAbsent(Align.class, "annotate the permitted records, or the component");
        checkAbsent(Order.class, "annotate the permitted records, or the component");
    }

    /// @throws IllegalArgumentException if the name is not a C identifier
    static void checkName(String name) {
        try {
            CIdentifiers.checkOptional(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + "; @Name gives another", e);
        }
    }

    /// @throws IllegalArgumentException if the alignment is not a power of two, or too large for an allocator
    static void checkAlignment(long byteAlignment) {
        Sizes.checkAlignment(byteAlignment);
        if (byteAlignment > LARGEST_ALIGNMENT) {
            throw new IllegalArgumentException("Alignment is too large: byteAlignment="
                    + byteAlignment + ", maxByteAlignment=" + LARGEST_ALIGNMENT);
        }
    }

    void checkEnum() {
        checkAbsent(Value.class, "annotate the constants");
        checkAbsent(Packed.class, "it is for records and views");
        checkAbsent(Align.class, "annotate the components of this type instead");
        checkAbsent(Order.class, "annotate the components of this type, or the record that contains them");
    }

    /// Builds the struct, and checks its alignment.
    StructType build(StructType.Builder builder) {
        StructType struct;
        try {
            struct = builder.build();
        } catch (IllegalArgumentException e) {
            throw unmappable(e);
        }
        if (alignment().isPresent() && alignment().get() < struct.byteAlignment()) {
            throw ComponentDeclaration.refusal(type, "@Align is less than the components need",
                    "they need " + struct.byteAlignment()
                            + "; use @Packed, or @Align on the components");
        }
        return struct;
    }

    private IllegalArgumentException unmappable(IllegalArgumentException e) {
        return new IllegalArgumentException("Type cannot be mapped: class=" + type.getName() + "; " + e.getMessage(),
                e);
    }

    private void checkAbsent(Class<? extends Annotation> annotation, String reason) {
        if (type.isAnnotationPresent(annotation)) {
            throw ComponentDeclaration.refusal(type, "@" + annotation.getSimpleName() + " does not apply", reason);
        }
    }

    private <A extends Annotation> Optional<A> annotation(Class<A> annotation) {
        return Optional.ofNullable(type.getAnnotation(annotation));
    }
}
