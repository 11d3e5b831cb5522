package dev.arenakit.internal.layout.emit;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/// The descriptors of types and methods that generated code refers to.
public final class Descriptors {
    public static final ClassDesc SEGMENT = of(MemorySegment.class);
    public static final ClassDesc RUNTIME_EXCEPTION = of(RuntimeException.class);

    private Descriptors() {}

    public static ClassDesc of(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    public static MethodTypeDesc of(Method method) {
        return of(MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
    }

    public static MethodTypeDesc of(MethodHandle handle) {
        return of(handle.type());
    }

    private static MethodTypeDesc of(MethodType type) {
        return type.describeConstable().orElseThrow();
    }
}
