package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.openjdk.jmh.annotations.CompilerControl;

/// Internals of the JDK: the stack of buffers that its downcalls use, and `sun.misc.Unsafe`.
///
/// The compiler does not allow `--add-exports` together with `--release`, and warns of Unsafe. Both are therefore
/// called through method handles, which cost nothing if they are `static final`. If a JDK lacks one of them, or does
/// not export it, each call throws [UnavailableException].
public final class JdkInternals {
    /// The argument that a JVM needs for the buffer stack.
    public static final String EXPORT_BUFFER_STACK = "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED";
    /// The argument that suppresses the JVM's warning about Unsafe.
    public static final String ALLOW_UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final MethodHandle ALLOCATE = unsafe("allocateMemory", long.class, long.class);
    private static final MethodHandle FREE = unsafe("freeMemory", void.class, long.class);
    private static final MethodHandle PUT_LONG = unsafe("putLong", void.class, long.class, long.class);
    private static final MethodHandle GET_LONG = unsafe("getLong", long.class, long.class);
    private static final MethodHandle PUT_BYTE = unsafe("putByte", void.class, long.class, byte.class);
    private static final MethodHandle GET_BYTE = unsafe("getByte", byte.class, long.class);
    private static final MethodHandle SET_MEMORY = unsafe("setMemory", void.class, long.class, long.class, byte.class);

    private static final MethodHandle STACK_OF = stack("of", true, long.class);
    private static final MethodHandle PUSH_FRAME = stack("pushFrame", false, long.class, long.class);

    private JdkInternals() {}

    /// {@return the address of a new block of Unsafe, not zeroed}
    ///
    /// @param byteSize size of the block
    public static long allocate(long byteSize) {
        try {
            return (long) ALLOCATE.invokeExact(byteSize);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Frees a block of Unsafe.
    ///
    /// @param address address of the block
    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Writes a long to an address, without any check.
    ///
    /// @param address address of the long
    /// @param value   value to write
    public static void putLong(long address, long value) {
        try {
            PUT_LONG.invokeExact(address, value);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// {@return the long at an address}
    ///
    /// @param address address of the long
    public static long getLong(long address) {
        try {
            return (long) GET_LONG.invokeExact(address);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Writes a byte to an address, without any check.
    ///
    /// @param address address of the byte
    /// @param value   value to write
    public static void putByte(long address, byte value) {
        try {
            PUT_BYTE.invokeExact(address, value);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// {@return the byte at an address}
    ///
    /// @param address address of the byte
    public static byte getByte(long address) {
        try {
            return (byte) GET_BYTE.invokeExact(address);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// Fills memory.
    ///
    /// @param address  address of the memory
    /// @param byteSize size of the memory
    /// @param value    value of each byte
    public static void setMemory(long address, long byteSize, byte value) {
        try {
            SET_MEMORY.invokeExact(address, byteSize, value);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// {@return a new stack of buffers, whose frames have the size of the whole stack}
    ///
    /// @param byteSize size of the stack of each thread
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
            return unavailable("BufferStack is not available, it needs " + EXPORT_BUFFER_STACK + ": " + e,
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
