package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// An enum: an integer whose values have names.
///
/// @param name      the name of the enum, or "" for none
/// @param value     the type of the integer: a [ValueType] of a `byte`, `short`, `int` or `long`, or an
///                  [UnsignedType] of 1, 2, 4 or 8 bytes
/// @param constants the constants; no two constants have the same name or the same value
/// @param otherwise the name of the constant that all other values are read as, which is not among `constants`; or
///                  empty if other values are errors
public record EnumType(String name, MemoryType value, List<Constant> constants, Optional<String> otherwise)
        implements
            MemoryType {
    private static final Set<Class<?>> CARRIERS = Set.of(byte.class, short.class, int.class, long.class);

    /// A constant of an enum.
    ///
    /// @param name  the name, a C identifier
    /// @param value the integer in memory; an unsigned integer of 8 bytes is a bit pattern
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
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if the type of the integer is
    ///                                  none of the types above, if two constants have the same name or value, or if a
    ///                                  value is out of the range of the integer
    public EnumType {
        CIdentifiers.checkOptional(name);
        Objects.requireNonNull(otherwise, "otherwise");
        constants = List.copyOf(constants);
        checkValue(name, value);
        Set<String> names = new HashSet<>();
        if (otherwise.isPresent()) {
            CIdentifiers.check(otherwise.get());
            names.add(otherwise.get());
        }
        Set<Long> values = new HashSet<>();
        for (Constant constant : constants) {
            if (!names.add(constant.name()) || !values.add(constant.value())) {
                throw new IllegalArgumentException(
                        "Two constants have the same name or value: enum=" + name + ", constant="
                                + constant.name() + ", value=" + constant.value());
            }
        }
        checkRange(name, constants, Byte.SIZE * (int) value.byteSize(), value instanceof UnsignedType);
    }

    /// Creates an enum type without a constant for other values.
    ///
    /// @param name      the name of the enum, or "" for none
    /// @param value     the type of the integer
    /// @param constants the constants
    /// @throws IllegalArgumentException as by the other constructor
    public EnumType(String name, MemoryType value, List<Constant> constants) {
        this(name, value, constants, Optional.empty());
    }

    private static void checkValue(String name, MemoryType value) {
        boolean isInteger = value instanceof UnsignedType unsigned
                ? unsigned.isPowerOfTwo()
                : value instanceof ValueType integer && CARRIERS.contains(integer.carrier());
        if (!isInteger) {
            throw new IllegalArgumentException("Type of the integer is not that of an enum: enum=" + name + ", value="
                    + value + "; use byte, short, int or long, or an unsigned type of 1, 2, 4 or 8 bytes");
        }
    }

    private static void checkRange(String name, List<Constant> constants, int bitSize, boolean isUnsigned) {
        int shift = Long.SIZE - bitSize;
        for (Constant constant : constants) {
            long value = constant.value();
            long stored = isUnsigned ? value << shift >>> shift : value << shift >> shift;
            if (stored != value) {
                throw new IllegalArgumentException("Value is out of range: enum=" + name + ", constant="
                        + constant.name() + ", value=" + value + ", bitSize=" + bitSize + "; values are "
                        + (isUnsigned ? "unsigned" : "signed") + ": the same bits are " + stored);
            }
        }
    }

    /// Checks that a bit field can hold all constants.
    ///
    /// @throws IllegalArgumentException if a constant does not fit
    void checkFits(int bitSize) {
        checkRange(name, constants, bitSize, isUnsigned());
    }

    /// Returns whether the values are unsigned.
    ///
    /// @return whether the type of the integer is an [UnsignedType]
    public boolean isUnsigned() {
        return value instanceof UnsignedType;
    }

    /// Returns the primitive type in Java that has the size of the integer.
    ///
    /// @return `byte.class`, `short.class`, `int.class` or `long.class`
    public Class<?> carrier() {
        return layout().carrier();
    }

    /// Returns the byte order of the integer.
    ///
    /// @return the byte order; for a size of 1, always the native byte order
    public ByteOrder order() {
        return integer().orElseThrow().order();
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
    public Optional<StoredInteger> integer() {
        return value.integer();
    }

    @Override
    public EnumType withByteAlignment(long byteAlignment) {
        return new EnumType(name, value.withByteAlignment(byteAlignment), constants, otherwise);
    }

    @Override
    public EnumType withOrder(ByteOrder order) {
        return new EnumType(name, value.withOrder(order), constants, otherwise);
    }

    @Override
    public ValueLayout layout() {
        return (ValueLayout) value.layout();
    }
}
