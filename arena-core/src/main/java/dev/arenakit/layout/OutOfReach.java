package dev.arenakit.layout;

import java.lang.invoke.MethodHandles;
import java.util.Optional;

/// Refuses a record or the interface of a view that neither this module nor the user's Lookup may use.
final class OutOfReach {
    private OutOfReach() {}

    /// Says who does not reach it, and what the user can do.
    ///
    /// @param lookup the user's, if one was given
    static IllegalArgumentException refusal(Class<?> type, Optional<MethodHandles.Lookup> lookup,
            IllegalAccessException cause) {
        boolean view = type.isInterface();
        String module = type.getModule().isNamed() ? type.getModule().getName() : "unnamed (class path)";
        String named = "class=" + type.getName() + ", module=" + module;
        String message = lookup
                .map(given -> "Lookup does not reach the " + (view ? "interface: " : "class: ") + named + ", lookup="
                        + given
                        + "; pass the MethodHandles.lookup() of a class "
                        + (view ? "in its package" : "that may call its constructor"))
                .orElseGet(() -> (view ? "Interface" : "Class") + " is out of reach: " + named
                        + "; pass a lookup, as in of(MethodHandles.lookup(), " + type.getSimpleName()
                        + ".class), or make it public in an exported package, or open the package");
        return new IllegalArgumentException(message, cause);
    }
}
