package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import dev.arenakit.internal.nativecall.Addresses;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// An address, which is a pointer in C.
///
/// @param target        the type of the memory at the address, or empty if it is unknown; a segment that is read
///                      through the layout of this type has the size of the target, or size 0 if the target is unknown
/// @param order         the byte order
/// @param byteAlignment the alignment of the address itself, in bytes
public record AddressType(Optional<MemoryType> target, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Creates an address type.
    ///
    /// @throws IllegalArgumentException if the alignment is not a power of two, or if the target is a bit field
    public AddressType {
        if (target.orElse(null) instanceof BitFieldType bits) {
            throw new IllegalArgumentException("Address of a bit field: target=" + bits);
        }
        Objects.requireNonNull(order, "order");
        Sizes.checkAlignment(byteAlignment);
    }

    /// Returns the type of an address in native byte order, aligned as in C.
    ///
    /// @param target the type of the memory at the address, or empty if it is unknown
    /// @return the address type
    public static AddressType of(Optional<MemoryType> target) {
        return new AddressType(target, ByteOrder.nativeOrder(), ValueLayout.ADDRESS.byteAlignment());
    }

    @Override
    public long byteSize() {
        return ValueLayout.ADDRESS.byteSize();
    }

    @Override
    public List<MemoryType> innerTypes() {
        return target.stream().toList();
    }

    @Override
    public AddressType withOrder(ByteOrder order) {
        return new AddressType(target.map(type -> type.withOrder(order)), order, byteAlignment);
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public AddressType withByteAlignment(long byteAlignment) {
        return new AddressType(target, order, byteAlignment);
    }

    /// @throws IllegalCallerException if the target is known and native access is denied, because reading such an
    ///                                address gives access to memory of the size of the target
    @Override
    public AddressLayout layout() {
        AddressLayout address = ValueLayout.ADDRESS.withOrder(order).withByteAlignment(byteAlignment);
        return target.isPresent() ? Addresses.withTarget(address, target.get().layout()) : address;
    }
}
