package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.openjdk.jmh.annotations.CompilerControl;

/// What the JDK has and does not offer to everyone: the stack of buffers that its downcalls use, and `sun.misc.Unsafe`.
///
/// The compiler refuses an export of an internal package together with a release, and warns of Unsafe, so both are reached
/// through method handles, which cost nothing where they are `static final`. Where a JDK has them no longer, or does not
/// show them, each call throws [UnavailableException].
public final class JdkPeers {
    /// What a JVM needs for the buffer stack.
    public static final String EXPORT_BUFFER_STACK = "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED";
    /// What spares the JVM's warning about Unsafe.
    public static final String ALLOW_UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final MethodHandle ALLOCATE = unsafe("allocateMemory", long.class, long.class);
    private static final MethodHandle FREE = unsafe("freeMemory", void.class, long.class);
    private static final MethodHandle PUT_LONG = unsafe("putLong", void.class, long.class, long.class);
    private static final MethodHandle GET_LONG = unsafe("getLong", long.class, long.class);
    private static final MethodHandle SET_MEMORY = unsafe("setMemory", void.class, long.class, long.class, byte.class);

    private static final MethodHandle STACK_OF = stack("of", true, long.class);
    private static final MethodHandle PUSH_FRAME = stack("pushFrame", false, long.class, long.class);

    private JdkPeers() {}

    /// {@return the address of a block of Unsafe's, not zeroed}
    ///
    /// @param byteSize its size
    public static long allocate(long byteSize) {
        try {
            return (long) ALLOCATE.invokeExact(byteSize);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Frees a block of Unsafe's.
    ///
    /// @param address its address
    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Writes a long, wherever that is.
    ///
    /// @param address where
    /// @param value   what
    public static void putLong(long address, long value) {
        try {
            PUT_LONG.invokeExact(address, value);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// {@return the long at an address}
    ///
    /// @param address where
    public static long getLong(long address) {
        try {
            return (long) GET_LONG.invokeExact(address);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Fills memory.
    ///
    /// @param address  where
    /// @param byteSize how much
    /// @param value    with what
    public static void setMemory(long address, long byteSize, byte value) {
        try {
            SET_MEMORY.invokeExact(address, byteSize, value);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// {@return a new stack of buffers, which has frames of its whole size}
    ///
    /// @param byteSize size of the stack, of which each thread has one
    static Frames bufferStack(long byteSize) {
        try {
            return new Frames((Object) STACK_OF.invokeExact(byteSize), byteSize - Long.BYTES);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// A stack of buffers.
    record Frames(Object stack, long byteSize) {
        @CompilerControl(CompilerControl.Mode.INLINE)
        Arena push() {
            try {
                return (Arena) PUSH_FRAME.invokeExact(stack, byteSize, (long) Long.BYTES);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }
    }

    private static MethodHandle unsafe(String method, Class<?> result, Class<?>... parameters) {
        MethodType type = MethodType.methodType(result, parameters);
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return LOOKUP.findVirtual(unsafe, method, type).bindTo(instance.get(null));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return unavailable("sun.misc.Unsafe is not available: " + e, type);
        }
    }

    private static MethodHandle stack(String method, boolean isStatic, Class<?>... parameters) {
        MethodType type = MethodType.genericMethodType(isStatic ? 0 : 1).appendParameterTypes(parameters);
        try {
            Class<?> stack = Class.forName("jdk.internal.foreign.BufferStack");
            MethodHandle handle = isStatic
                    ? LOOKUP.findStatic(stack, method, MethodType.methodType(stack, parameters))
                    : LOOKUP.findVirtual(stack, method, MethodType.methodType(Arena.class, parameters));
            return handle.asType(isStatic ? type : type.changeReturnType(Arena.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return unavailable("BufferStack is not available, which takes " + EXPORT_BUFFER_STACK + ": " + e,
                    isStatic ? type : type.changeReturnType(Arena.class));
        }
    }

    private static MethodHandle unavailable(String why, MethodType type) {
        MethodHandle thrower = MethodHandles.throwException(type.returnType(), UnavailableException.class)
                .bindTo(new UnavailableException(why));
        return MethodHandles.dropArguments(thrower, 0, type.parameterList());
    }

    private static RuntimeException unchecked(Throwable e) {
        if (e instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
