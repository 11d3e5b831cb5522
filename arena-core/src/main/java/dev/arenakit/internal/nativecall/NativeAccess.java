package dev.arenakit.internal.nativecall;

import java.lang.foreign.MemorySegment;

/// Checks native access before a class with native handles is initialized.
///
/// If the static initializer of such a class failed, only the first failure would name the reason; every later one
/// would be a `NoClassDefFoundError`.
public final class NativeAccess {
    private static final Module MODULE = NativeAccess.class.getModule();

    private NativeAccess() {}

    /// Checks that native access is not denied. If it is neither denied nor granted, Java warns once and grants it.
    ///
    /// @throws IllegalCallerException if native access is denied; the message names the flag to pass, on every call
    public static void require() {
        if (!isGranted()) {
            throw new IllegalCallerException("Native access is denied: " + (MODULE.isNamed()
                    ? "module=" + MODULE.getName() + "; start java with --enable-native-access=" + MODULE.getName()
                    : "module=unnamed (class path); start java with --enable-native-access=ALL-UNNAMED"));
        }
    }

    /// Whether native access is not denied. If it is neither denied nor granted, Java warns once and grants it.
    public static boolean isGranted() {
        return MODULE.isNativeAccessEnabled() || !Probe.DENIED;
    }

    /// Whether native access is denied. If it is not enabled, it is either denied or not granted yet; a restricted call
    /// shows which.
    private static final class Probe {
        static final boolean DENIED = isDenied();

        private Probe() {}

        @SuppressWarnings("restricted")
        private static boolean isDenied() {
            try {
                MemorySegment _ = MemorySegment.NULL.reinterpret(0);
                return false;
            } catch (IllegalCallerException _) {
                return true;
            }
        }
    }
}
