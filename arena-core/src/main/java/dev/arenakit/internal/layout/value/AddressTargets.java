package dev.arenakit.internal.layout.value;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.MemoryType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/// Addresses that were read with the size of their target.
public final class AddressTargets {
    private AddressTargets() {}

    /// Returns a segment of size 0 for address 0, which has no target: an access to it would kill the JVM.
    public static MemorySegment present(MemorySegment target) {
        return target.address() == 0 ? MemorySegment.NULL : target;
    }

    /// Returns a VarHandle that reads a segment of size 0 for address 0.
    ///
    /// @param handle the VarHandle of a value of the type
    public static VarHandle present(VarHandle handle, MemoryType type) {
        return type instanceof AddressType address && address.target().isPresent() ? present(handle) : handle;
    }

    private static VarHandle present(VarHandle address) {
        try {
            MethodType type = MethodType.methodType(MemorySegment.class, MemorySegment.class);
            return MethodHandles.filterValue(address, MethodHandles.identity(MemorySegment.class),
                    MethodHandles.lookup().findStatic(AddressTargets.class, "present", type));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("present", e);
        }
    }
}
