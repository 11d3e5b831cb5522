package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.EnumType;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The constants of an enum, as their annotations declare them.
///
/// @param constants         the constants in declaration order, without a constant with [Otherwise]
/// @param otherwise         the name in C of the constant with [Otherwise]
/// @param otherwisePosition the ordinal of that constant, or -1
public record EnumConstants(List<EnumType.Constant> constants, Optional<String> otherwise, int otherwisePosition) {
    /// Returns the constants of an enum. A constant without a [Value] has the next number after the previous constant,
    /// as in C, and the first constant is 0. A constant with [Otherwise] is counted too.
    ///
    /// @throws IllegalArgumentException if two constants have [Otherwise], or if a constant has both [Otherwise] and
    ///                                  [Value], or if a constant has several values, or none that fits in a long
    public static EnumConstants of(Class<?> type) {
        List<EnumType.Constant> constants = new ArrayList<>();
        Optional<String> otherwise = Optional.empty();
        int otherwisePosition = -1;
        long previous = -1;
        Object[] all = type.getEnumConstants();
        for (int i = 0; i < all.length; i++) {
            Enum<?> constant = (Enum<?>) all[i];
            Optional<Name> inC = annotation(constant, Name.class);
            String name = inC.isPresent() ? inC.get().value() : constant.name();
            Optional<Value> value = annotation(constant, Value.class);
            ClassAnnotations.checkName(name);
            if (annotation(constant, Otherwise.class).isPresent()) {
                if (otherwise.isPresent() || value.isPresent()) {
                    throw ComponentDeclaration.refusal(type, "@Otherwise does not apply", "remove it from " + name
                            + (value.isPresent() ? ", or its @Value" : "; another constant has it"));
                }
                otherwise = Optional.of(name);
                otherwisePosition = i;
                previous = Math.max(previous, previous + 1); // no further constant after the largest number
            } else {
                if (value.isEmpty() && previous == Long.MAX_VALUE) {
                    throw ComponentDeclaration.refusal(type, "Constant exceeds a long",
                            "constant=" + name + "; add @Value to it");
                }
                previous = value.isPresent() ? single(type, name, value.get()) : previous + 1;
                constants.add(new EnumType.Constant(name, previous));
            }
        }
        return new EnumConstants(constants, otherwise, otherwisePosition);
    }

    private static long single(Class<?> type, String name, Value value) {
        if (value.value().length != 1) {
            throw ComponentDeclaration.refusal(type, "@Value of a constant is not one number",
                    "constant=" + name + ", values=" + Arrays.toString(value.value())
                            + "; only a record of a union has several");
        }
        return value.value()[0];
    }

    private static <A extends Annotation> Optional<A> annotation(Enum<?> constant, Class<A> annotation) {
        try {
            return Optional.ofNullable(
                    constant.getDeclaringClass().getDeclaredField(constant.name()).getAnnotation(annotation));
        } catch (NoSuchFieldException e) {
            throw new AssertionError("A constant of an enum is a field of it", e);
        }
    }
}
