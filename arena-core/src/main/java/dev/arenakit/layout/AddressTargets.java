package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// Addresses that were read with the size of their target.
final class AddressTargets {
    private AddressTargets() {}

    /// Returns a segment of size 0 for address 0, which has no target: an access to it would kill the JVM.
    static MemorySegment present(MemorySegment target) {
        return target.address() == 0 ? MemorySegment.NULL : target;
    }
}
