package dev.arenakit.internal.nativecall;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// The allocator of the C code of this process: that of the C library, or of a library that replaces it.
///
/// The lookup of the JDK's linker finds the functions of the C library itself. The dynamic linker searches the
/// executable and the libraries of `LD_PRELOAD` before it.
///
/// Every program that uses an arena over malloc runs this code when it starts. For this reason, the code avoids what
/// takes milliseconds when it is first used: lambda expressions, the concatenation of strings, VarHandles, the
/// environment as a map.
public record ProcessMalloc(long malloc, long calloc, long free, long alignedAlloc) {
    /// The pseudo handle for the search order of the executable, `RTLD_DEFAULT` in `dlfcn.h`.
    private static final long DEFAULT_ORDER = 0;

    /// Returns the functions of the library that replaces the C library's, or null if there is none.
    public static @Nullable ProcessMalloc replacing(SymbolLookup libc) {
        if (!LinuxSystem.isKnown() || !NativeAccess.isGranted()) {
            // No function will ever be called.
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            long dlsym = addressOf(libc, "dlsym");
            if (dlsym == 0) {
                return null;
            }
            ProcessMalloc found = new ProcessMalloc(find(arena, dlsym, "malloc"), find(arena, dlsym, "calloc"),
                    find(arena, dlsym, "free"), find(arena, dlsym, "aligned_alloc"));
            if (!found.replaces(libc)) {
                found = findByVersion(libc, arena);
            }
            return found != null && found.replaces(libc) ? found : null;
        }
    }

    private static long find(Arena arena, long dlsym, String name) {
        return NativeCalls.call(dlsym, DEFAULT_ORDER, text(arena, name), false);
    }

    /// Finds functions whose only version is an old one, which `dlsym` does not find, by the version with which
    /// programs are linked: those of glibc's `libc_malloc_debug`. The call is linked for them alone.
    private static @Nullable ProcessMalloc findByVersion(SymbolLookup libc, Arena arena) {
        long preloaded = NativeCalls.call(addressOf(libc, "getenv"), text(arena, "LD_PRELOAD"), false);
        MethodHandle dlvsym = preloaded == 0 ? null : CFunction.DLVSYM.find().orElse(null);
        if (dlvsym == null) {
            return null;
        }
        boolean x86 = System.getProperty("os.arch").equals("amd64");
        long first = text(arena, x86 ? "GLIBC_2.2.5" : "GLIBC_2.17");
        long later = text(arena, x86 ? "GLIBC_2.16" : "GLIBC_2.17");
        return new ProcessMalloc(find(dlvsym, arena, "malloc", first), find(dlvsym, arena, "calloc", first),
                find(dlvsym, arena, "free", first), find(dlvsym, arena, "aligned_alloc", later));
    }

    private static long find(MethodHandle dlvsym, Arena arena, String name, long version) {
        try {
            return (long) dlvsym.invokeExact(DEFAULT_ORDER, text(arena, name), version);
        } catch (Throwable t) {
            throw NativeCalls.unexpected(t);
        }
    }

    /// Returns the address of a copy that ends with a zero.
    private static long text(Arena arena, String text) {
        return arena.allocate(text.length() + 1)
                .copyFrom(MemorySegment.ofArray(text.getBytes(US_ASCII)))
                .address();
    }

    /// Whether none of the functions is the C library's own: a block must be freed by the allocator that it comes from.
    private boolean replaces(SymbolLookup libc) {
        return isOther(malloc, libc, "malloc") && isOther(calloc, libc, "calloc") && isOther(free, libc, "free")
                && isOther(alignedAlloc, libc, "aligned_alloc");
    }

    private static boolean isOther(long function, SymbolLookup libc, String name) {
        return function != 0 && function != addressOf(libc, name);
    }

    private static long addressOf(SymbolLookup libc, String name) {
        MemorySegment function = libc.find(name).orElse(MemorySegment.NULL);
        return function.address();
    }
}
