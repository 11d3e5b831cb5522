package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// An enum: an integer whose values have names.
///
/// @param name      the name of the enum, or "" for none
/// @param value     the type of the integer, whose carrier is `byte`, `short`, `int` or `long`
/// @param constants the constants, of which no two have the same name or the same value
public record EnumType(String name, ValueType value, List<Constant> constants) implements MemoryType {
    private static final Set<Class<?>> CARRIERS = Set.of(byte.class, short.class, int.class, long.class);

    /// A constant of an enum.
    ///
    /// @param name  the name, a C identifier
    /// @param value the integer in memory
    public record Constant(String name, long value) {
        /// Creates a constant.
        ///
        /// @throws IllegalArgumentException if the name is not a C identifier
        public Constant {
            CIdentifiers.check(name);
        }
    }

    /// Creates an enum type.
    ///
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if the carrier is none of the
    ///                                  four, if two constants have the same name or value, or if a value is out of the
    ///                                  range of the carrier
    public EnumType {
        CIdentifiers.checkOptional(name);
        Objects.requireNonNull(value, "value");
        constants = List.copyOf(constants);
        if (!CARRIERS.contains(value.carrier())) {
            throw new IllegalArgumentException(
                    "Carrier is not that of an enum: enum=" + name + ", carrier=" + value.carrier()
                            + "; use byte, short, int or long");
        }
        Set<String> names = new HashSet<>();
        Set<Long> values = new HashSet<>();
        int shift = Long.SIZE - Byte.SIZE * (int) value.byteSize();
        for (Constant constant : constants) {
            if (!names.add(constant.name()) || !values.add(constant.value())) {
                throw new IllegalArgumentException(
                        "Two constants have the same name or value: enum=" + name + ", constant="
                                + constant.name() + ", value=" + constant.value());
            }
            if (constant.value() << shift >> shift != constant.value()) {
                throw new IllegalArgumentException("Value is out of range: enum=" + name + ", constant="
                        + constant.name() + ", value=" + constant.value() + ", byteSize=" + value.byteSize()
                        + "; values are signed: the same bits are " + (constant.value() << shift >> shift));
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
