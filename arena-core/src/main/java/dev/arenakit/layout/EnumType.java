package dev.arenakit.layout;

import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// An integer whose values have names.
///
/// @param name      the name of the enum
/// @param value     the integer: `byte`, `short`, `int` or `long`
/// @param constants the names and their values, which differ from each other
public record EnumType(String name, ValueType value, List<Constant> constants) implements MemoryType {
    private static final Set<Class<?>> CARRIERS = Set.of(byte.class, short.class, int.class, long.class);

    /// A name and its value.
    ///
    /// @param name  the name
    /// @param value what stands in memory for it
    public record Constant(String name, long value) {
        /// Checks that the parts go together.
        ///
        /// @throws IllegalArgumentException when the name is no identifier of C
        public Constant {
            Types.checkName(name);
        }
    }

    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the carrier is another, two names or values are the same, or a value needs
    ///                                  more bits than the carrier has
    public EnumType {
        Types.checkTypeName(name);
        Objects.requireNonNull(value, "value");
        constants = List.copyOf(constants);
        if (!CARRIERS.contains(value.carrier())) {
            throw new IllegalArgumentException(
                    "Not a carrier for an enum: enum=" + name + ", carrier=" + value.carrier()
                            + "; use byte, short, int or long");
        }
        Set<String> names = new HashSet<>();
        Set<Long> values = new HashSet<>();
        int shift = Long.SIZE - Byte.SIZE * (int) value.byteSize();
        for (Constant constant : constants) {
            if (!names.add(constant.name()) || !values.add(constant.value())) {
                throw new IllegalArgumentException("Name or value appears twice: enum=" + name + ", constant="
                        + constant.name() + ", value=" + constant.value());
            }
            if (constant.value() << shift >> shift != constant.value()) {
                throw new IllegalArgumentException("Value needs more bytes: enum=" + name + ", constant="
                        + constant.name() + ", value=" + constant.value() + ", byteSize=" + value.byteSize()
                        + "; numbers have a sign: the lowest bits alone are " + (constant.value() << shift >> shift));
            }
        }
    }

    @Override
    public long byteSize() {
        return value.byteSize();
    }

    @Override
    public long byteAlignment() {
        return value.byteAlignment();
    }

    @Override
    public EnumType withByteAlignment(long byteAlignment) {
        return new EnumType(name, value.withByteAlignment(byteAlignment), constants);
    }

    @Override
    public ValueLayout layout() {
        return value.layout();
    }
}
