package dev.arenakit.internal;

import java.lang.foreign.MemorySegment;

/// Asks for native access before the native room is entered: a class whose static handles fail names its reason once, and
/// says only `NoClassDefFoundError` from then on.
public final class NativeAccess {
    private static final Module MODULE = NativeAccess.class.getModule();

    private NativeAccess() {}

    /// Refuses when the user has denied native access. Where it is neither denied nor granted, Java warns once and grants it.
    ///
    /// @throws IllegalCallerException naming the flag to pass, the same on every call
    public static void require() {
        if (!MODULE.isNativeAccessEnabled() && Answer.DENIED) {
            throw new IllegalCallerException("Native access is denied: " + (MODULE.isNamed()
                    ? "module=" + MODULE.getName() + "; start java with --enable-native-access=" + MODULE.getName()
                    : "module=unnamed (class path); start java with --enable-native-access=ALL-UNNAMED"));
        }
    }

    /// What is not enabled may be denied or only not granted yet, which a restricted call tells.
    private static final class Answer {
        static final boolean DENIED = isDenied();

        private Answer() {}

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
