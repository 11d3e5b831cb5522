package dev.arenakit.layout;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/// The descriptors of types and methods that generated code refers to.
final class Descriptors {
    static final ClassDesc SEGMENT = of(MemorySegment.class);
    static final ClassDesc RUNTIME_EXCEPTION = of(RuntimeException.class);

    private Descriptors() {}

    static ClassDesc of(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    static MethodTypeDesc of(Method method) {
        return of(MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
    }

    static MethodTypeDesc of(MethodHandle handle) {
        return of(handle.type());
    }

    private static MethodTypeDesc of(MethodType type) {
        return type.describeConstable().orElseThrow();
    }
}
