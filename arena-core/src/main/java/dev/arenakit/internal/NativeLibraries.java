package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;

/// The symbols of native libraries.
public final class NativeLibraries {
    private NativeLibraries() {}

    /// Returns the symbols of the C library.
    public static SymbolLookup libc() {
        return Linker.nativeLinker().defaultLookup();
    }

    /// Returns the symbols of a shared library, which stays loaded until the JVM terminates.
    ///
    /// The caller has called [NativeAccess#require].
    ///
    /// @throws IllegalArgumentException if the library cannot be loaded
    @SuppressWarnings("restricted")
    public static SymbolLookup load(Path path) {
        return SymbolLookup.libraryLookup(path, Arena.global());
    }
}
