package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// The library that replaces the allocator of the C library for the C code of this process, if there is one.
///
/// The lookup of the JDK's linker finds the functions of the C library itself. The dynamic linker searches the
/// executable and the libraries of `LD_PRELOAD` before it.
final class ProcessMalloc {
    /// The pseudo handle for the search order of the executable, `RTLD_DEFAULT` in `dlfcn.h`.
    private static final long DEFAULT_ORDER = 0;

    /// The functions, and the versions with which programs for glibc on x86-64 are linked to them. On aarch64 all
    /// versions are [#AARCH64_VERSION].
    private static final Map<String, String> VERSIONS = Map.of("malloc", "GLIBC_2.2.5", "calloc", "GLIBC_2.2.5",
            "free", "GLIBC_2.2.5", "aligned_alloc", "GLIBC_2.16");
    private static final String AARCH64_VERSION = "GLIBC_2.17";

    private ProcessMalloc() {}

    /// Returns the functions of the library, or empty if the C library's own functions are used.
    static Optional<SymbolLookup> find() {
        if (!LinuxSystem.isKnown()) {
            return Optional.empty();
        }
        try {
            NativeAccess.require();
        } catch (IllegalCallerException _) {
            // No function will ever be called.
            return Optional.empty();
        }
        SymbolLookup libc = NativeFunctions.libc();
        try (Arena arena = Arena.ofConfined()) {
            return libc.find("dlsym")
                    .flatMap(dlsym -> replacement(libc, name -> NativeCalls.call(dlsym.address(), DEFAULT_ORDER,
                            arena.allocateFrom(name).address(), false)))
                    .or(() -> findByVersion(libc, arena));
        }
    }

    /// Finds functions whose only version is an old one, which `dlsym` does not find: those of glibc's
    /// `libc_malloc_debug`. This takes a call that is not linked otherwise.
    private static Optional<SymbolLookup> findByVersion(SymbolLookup libc, Arena arena) {
        String preloaded = System.getenv("LD_PRELOAD");
        if (preloaded == null || preloaded.isBlank()) {
            return Optional.empty();
        }
        boolean x86 = System.getProperty("os.arch").equals("amd64");
        return CFunction.DLVSYM.find()
                .flatMap(dlvsym -> replacement(libc, name -> call(dlvsym, arena.allocateFrom(name),
                        arena.allocateFrom(x86 ? VERSIONS.getOrDefault(name, "") : AARCH64_VERSION))));
    }

    private static long call(MethodHandle dlvsym, MemorySegment name, MemorySegment version) {
        try {
            return (long) dlvsym.invokeExact(DEFAULT_ORDER, name.address(), version.address());
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Returns a lookup of all functions if none of them is the C library's own.
    private static Optional<SymbolLookup> replacement(SymbolLookup libc, ToLongFunction<String> search) {
        Map<String, MemorySegment> found = new HashMap<>();
        for (String name : VERSIONS.keySet()) {
            long address = search.applyAsLong(name);
            if (address == 0 || libc.findOrThrow(name).address() == address) {
                return Optional.empty();
            }
            found.put(name, MemorySegment.ofAddress(address));
        }
        return Optional.of(name -> Optional.ofNullable(found.get(name)));
    }
}
