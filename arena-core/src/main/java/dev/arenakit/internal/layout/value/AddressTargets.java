package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.MemoryType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Addresses that were read with the size of their target.
public final class AddressTargets {
    /// The method [#present(MemorySegment)].
    public static final MethodHandle PRESENT = KnownMethods.findStatic(MethodHandles.lookup(), AddressTargets.class,
            "present", MemorySegment.class, MemorySegment.class);

    private AddressTargets() {}

    /// Returns a segment of size 0 for address 0, which has no target: an access to it would kill the JVM.
    public static MemorySegment present(MemorySegment target) {
        return target.address() == 0 ? MemorySegment.NULL : target;
    }

    /// Returns a VarHandle that reads a segment of size 0 for address 0.
    ///
    /// @param handle the VarHandle of a value of the type
    public static VarHandle present(VarHandle handle, MemoryType type) {
        return type instanceof AddressType address && address.target().isPresent()
                ? MethodHandles.filterValue(handle, MethodHandles.identity(MemorySegment.class), PRESENT)
                : handle;
    }
}
