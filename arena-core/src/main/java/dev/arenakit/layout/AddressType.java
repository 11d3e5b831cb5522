package dev.arenakit.layout;

import dev.arenakit.internal.Addresses;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/// The address of something else in memory.
///
/// @param target        what stands at the address, or empty where that is not known; a segment that is read from here is
///                      as large as its target, or of size 0
/// @param order         the order of the bytes
/// @param byteAlignment the alignment in bytes, of the address itself
public record AddressType(Optional<MemoryType> target, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the alignment is no power of two
    public AddressType {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(order, "order");
        Types.checkAlignment(byteAlignment);
    }

    /// An address in native order, aligned as in C.
    ///
    /// @param target what stands at the address, or empty
    /// @return the address type
    public static AddressType of(Optional<MemoryType> target) {
        return new AddressType(target, ByteOrder.nativeOrder(), ValueLayout.ADDRESS.byteAlignment());
    }

    @Override
    public long byteSize() {
        return ValueLayout.ADDRESS.byteSize();
    }

    @Override
    public AddressType withByteAlignment(long byteAlignment) {
        return new AddressType(target, order, byteAlignment);
    }

    /// @throws IllegalCallerException when the target is known and native access is denied: reading such an address gives access
    ///                                to memory of that size
    @Override
    public AddressLayout layout() {
        AddressLayout address = ValueLayout.ADDRESS.withOrder(order).withByteAlignment(byteAlignment);
        return target.isPresent() ? Addresses.withTarget(address, target.get().layout()) : address;
    }
}
