package dev.arenakit.internal;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;

/// Addresses in memory whose target is known.
public final class Addresses {
    private Addresses() {}

    /// A layout whose segments, when they are read, are as large as their target: whoever reads one vouches for that.
    ///
    /// @throws IllegalCallerException naming the flag to pass, when native access is denied
    @SuppressWarnings("restricted")
    public static AddressLayout withTarget(AddressLayout address, MemoryLayout target) {
        NativeAccess.require();
        return address.withTargetLayout(target);
    }
}
