package dev.arenakit.bench.contestant;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/// A value that the compiler takes for a constant, as if it stood in a `static final` field, and that is known only when a
/// benchmark is set up. To be kept in a `static final` field itself.
record Constant<T>(MutableCallSite site, MethodHandle getter) {
    static <T> Constant<T> unset() {
        MutableCallSite site = new MutableCallSite(MethodType.methodType(Object.class));
        return new Constant<>(site, site.dynamicInvoker());
    }

    void set(T value) {
        site.setTarget(MethodHandles.constant(Object.class, value));
        MutableCallSite.syncAll(new MutableCallSite[]{site});
    }

    @SuppressWarnings("unchecked") // Only set() brings a value in.
    T get() {
        try {
            return (T) getter.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("Nothing set", e);
        }
    }
}
