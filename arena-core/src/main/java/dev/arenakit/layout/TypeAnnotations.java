package dev.arenakit.layout;

import java.lang.annotation.Annotation;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What the annotations of a class say of it as a whole.
///
/// @param type the class: a record, a view, an enum or a sealed interface
record TypeAnnotations(Class<?> type) {
    private static final long LARGEST_ALIGNMENT = 1L << 30;

    /// The name in C.
    String name() {
        return annotation(Name.class).map(Name::value).orElse(type.getSimpleName());
    }

    boolean packed() {
        return type.isAnnotationPresent(Packed.class);
    }

    Optional<Long> alignment() {
        return annotation(Align.class).map(Align::value);
    }

    Optional<ByteSize> byteSize() {
        return annotation(ByteSize.class);
    }

    Optional<Order> ownOrder() {
        return annotation(Order.class);
    }

    ByteOrder order(ByteOrder inherited) {
        return ownOrder().map(order -> order.value().order()).orElse(inherited);
    }

    /// The constants of an enum with their values, in the order of their declaration.
    List<EnumType.Constant> constants() {
        List<EnumType.Constant> constants = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            Enum<?> named = (Enum<?>) constant;
            try {
                Value value = type.getDeclaredField(named.name()).getAnnotation(Value.class);
                Name name = type.getDeclaredField(named.name()).getAnnotation(Name.class);
                String inC = name == null ? named.name() : name.value();
                checkName(inC);
                constants.add(new EnumType.Constant(inC, value == null ? constants.size() : value.value()));
            } catch (NoSuchFieldException e) {
                throw new AssertionError("A constant of an enum is a field of it", e);
            }
        }
        return constants;
    }

    void checkStruct() {
        checkAbsent(ByteSize.class, "it is for enums");
        if (Arrays.stream(type.getInterfaces()).noneMatch(Class::isSealed)) {
            checkAbsent(Value.class, "it is for records of a union, whose sealed interface they implement");
        }
        checked(() -> {
            alignment().ifPresent(TypeAnnotations::checkAlignment);
            checkName(name());
            return this;
        });
    }

    void checkUnion() {
        checkAbsent(ByteSize.class, "it is for enums");
        checkAbsent(Value.class, "annotate the permitted records");
        checkAbsent(Packed.class, "annotate the permitted records, or the record that the union stands in");
        checkAbsent(Align.class, "annotate the permitted records, or the component");
        checkAbsent(Order.class, "annotate the permitted records, or the component");
    }

    /// @throws IllegalArgumentException when a name cannot stand in C
    static void checkName(String name) {
        try {
            Types.checkTypeName(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + "; @Name gives another", e);
        }
    }

    /// @throws IllegalArgumentException when the alignment is no power of two, or so large that no allocator gives it
    static void checkAlignment(long byteAlignment) {
        Types.checkAlignment(byteAlignment);
        if (byteAlignment > LARGEST_ALIGNMENT) {
            throw new IllegalArgumentException("Alignment is larger than there is memory for: byteAlignment="
                    + byteAlignment + ", most=" + LARGEST_ALIGNMENT);
        }
    }

    void checkEnum() {
        checkAbsent(Value.class, "annotate the constants");
        checkAbsent(Packed.class, "it is for records and views");
        checkAbsent(Align.class, "annotate the components of this type instead");
        checkAbsent(Order.class, "annotate the components of this type, or the record they stand in");
    }

    /// The struct, which is aligned as annotated.
    StructType build(StructType.Builder builder) {
        StructType struct = checked(builder::build);
        if (alignment().isPresent() && alignment().get() < struct.byteAlignment()) {
            throw Part.refusal(type, "@Align is less than the components need", "they need " + struct.byteAlignment()
                    + "; use @Packed, or @Align on the components");
        }
        return struct;
    }

    private <T> T checked(Supplier<T> step) {
        try {
            return step.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Type cannot be mapped: class=" + type.getName() + "; " + e.getMessage(),
                    e);
        }
    }

    private void checkAbsent(Class<? extends Annotation> annotation, String reason) {
        if (type.isAnnotationPresent(annotation)) {
            throw Part.refusal(type, "@" + annotation.getSimpleName() + " does not apply", reason);
        }
    }

    private <A extends Annotation> Optional<A> annotation(Class<A> annotation) {
        return Optional.ofNullable(type.getAnnotation(annotation));
    }
}
