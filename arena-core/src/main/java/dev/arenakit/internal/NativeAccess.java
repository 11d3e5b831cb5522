package dev.arenakit.internal;

import java.lang.foreign.MemorySegment;

/// Asks for native access before the native room is entered: a class whose static handles fail names its reason once, and
/// says only `NoClassDefFoundError` from then on.
public final class NativeAccess {
    private static final Module MODULE = NativeAccess.class.getModule();

    private NativeAccess() {}

    /// Refuses when the user has denied native access. Where it is neither denied nor granted, Java warns once and grants it;
    /// with `--illegal-native-access=allow` it is asked each time, which takes some 150 ns.
    ///
    /// @throws IllegalCallerException naming the flag to pass, the same on every call
    public static void require() {
        if (!MODULE.isNativeAccessEnabled()) {
            ask();
        }
    }

    /// Only a restricted call tells denied from not yet granted.
    @SuppressWarnings("restricted")
    private static void ask() {
        try {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        } catch (IllegalCallerException e) {
            String remedy = MODULE.isNamed()
                    ? "module=" + MODULE.getName() + "; start java with --enable-native-access=" + MODULE.getName()
                    : "module=unnamed (class path); start java with --enable-native-access=ALL-UNNAMED";
            throw new IllegalCallerException("Native access is denied: " + remedy, e);
        }
    }
}
