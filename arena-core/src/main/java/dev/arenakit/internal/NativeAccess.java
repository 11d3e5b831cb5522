package dev.arenakit.internal;

/// Asks for native access before the native room is entered.
public final class NativeAccess {
    private NativeAccess() {}

    /// Refuses when the user has denied native access. Called before [NativeCalls] initialises: a class whose static
    /// handles fail names its reason once, and says only `NoClassDefFoundError` from then on.
    ///
    /// @throws IllegalCallerException naming the flag to pass, the same on every call
    public static void require() {
        Module module = NativeAccess.class.getModule();
        if (!module.isNativeAccessEnabled()) {
            String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
            throw new IllegalCallerException("Native access is denied: module="
                    + (module.isNamed() ? name : "unnamed (class path)") + "; start java with --enable-native-access="
                    + name);
        }
    }

    /// Whether [#require] would pass.
    public static boolean isEnabled() {
        return NativeAccess.class.getModule().isNativeAccessEnabled();
    }
}
