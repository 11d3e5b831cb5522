package dev.arenakit.bench.candidate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

/// A value that is set when a benchmark is set up, and that the compiler treats as a constant, like the value of a
/// `static final` field. The instance itself must be in a `static final` field.
record SettableConstant<T>(MutableCallSite site, MethodHandle getter) {
    static <T> SettableConstant<T> unset() {
        MutableCallSite site = new MutableCallSite(MethodType.methodType(Object.class));
        return new SettableConstant<>(site, site.dynamicInvoker());
    }

    void set(T value) {
        site.setTarget(MethodHandles.constant(Object.class, value));
        MutableCallSite.syncAll(new MutableCallSite[]{site});
    }

    @SuppressWarnings("unchecked") // Only set() stores a value.
    T get() {
        try {
            return (T) getter.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("No value was set", e);
        }
    }
}
