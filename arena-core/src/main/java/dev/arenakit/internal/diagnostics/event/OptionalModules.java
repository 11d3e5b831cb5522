package dev.arenakit.internal.diagnostics.event;

/// The modules of the JDK that this module uses if they are there.
final class OptionalModules {
    private OptionalModules() {}

    /// Whether this JVM has a class, and this module reads its module. A program on the module path may leave out
    /// modules that the JDK has.
    static boolean canUse(String className) {
        try {
            Class<?> type = Class.forName(className, false, OptionalModules.class.getClassLoader());
            return OptionalModules.class.getModule().canRead(type.getModule());
        } catch (ClassNotFoundException | LinkageError _) {
            return false;
        }
    }
}
