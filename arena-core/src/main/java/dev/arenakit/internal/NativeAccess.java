package dev.arenakit.internal;

import java.lang.foreign.MemorySegment;

/// Asks for native access before the native room is entered: a class whose static handles fail names its reason once, and
/// says only `NoClassDefFoundError` from then on.
public final class NativeAccess {
    private static final Module MODULE = NativeAccess.class.getModule();

    private NativeAccess() {}

    /// Refuses when the user has denied native access. Where it is neither denied nor granted, Java warns once, and grants it.
    ///
    /// @throws IllegalCallerException naming the flag to pass, the same on every call
    public static void require() {
        if (!MODULE.isNativeAccessEnabled()) {
            ask();
        }
    }

    /// Refuses unless the user has granted native access: for what can be done without, and is not worth a warning.
    ///
    /// @throws IllegalCallerException naming the flag to pass
    static void requireGranted() {
        if (!MODULE.isNativeAccessEnabled()) {
            throw new IllegalCallerException("Native access is not granted: " + remedy());
        }
    }

    /// Only a restricted call tells denied from not yet granted.
    @SuppressWarnings("restricted")
    private static void ask() {
        try {
            MemorySegment _ = MemorySegment.NULL.reinterpret(0);
        } catch (IllegalCallerException e) {
            throw new IllegalCallerException("Native access is denied: " + remedy(), e);
        }
    }

    private static String remedy() {
        return MODULE.isNamed()
                ? "module=" + MODULE.getName() + "; start java with --enable-native-access=" + MODULE.getName()
                : "module=unnamed (class path); start java with --enable-native-access=ALL-UNNAMED";
    }
}
