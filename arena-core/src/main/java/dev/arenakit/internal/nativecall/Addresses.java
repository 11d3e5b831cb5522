package dev.arenakit.internal.nativecall;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;

/// Layouts of addresses whose target is known.
public final class Addresses {
    private Addresses() {}

    /// Returns a layout whose segments have the size of their target when they are read. The reader guarantees that the
    /// target is there.
    ///
    /// @throws IllegalCallerException if native access is denied, with a message that names the flag to pass
    @SuppressWarnings("restricted")
    public static AddressLayout withTarget(AddressLayout address, MemoryLayout target) {
        NativeAccess.require();
        return address.withTargetLayout(target);
    }
}
