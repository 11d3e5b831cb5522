package dev.arenakit.bench.candidate.peer;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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

    private static final MethodHandle STACK_OF = stack("of", true, long.class);
    private static final MethodHandle PUSH_FRAME = stack("pushFrame", false, long.class, long.class);

    private JdkInternals() {}

    /// {@return a new stack of buffers, whose frames have the size of the whole stack}
    ///
    /// @param byteSize size of the stack of each thread
    public static Frames bufferStack(long byteSize) {
        try {
            return new Frames((Object) STACK_OF.invokeExact(byteSize), byteSize - Long.BYTES);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /// A stack of buffers.
    ///
    /// @param stack    the stack of the JDK
    /// @param byteSize size of a frame
    public record Frames(Object stack, long byteSize) {
        /// {@return a new frame}
        @CompilerControl(CompilerControl.Mode.INLINE)
        public Arena push() {
            try {
                return (Arena) PUSH_FRAME.invokeExact(stack, byteSize, (long) Long.BYTES);
            } catch (Throwable e) {
                throw unchecked(e);
            }
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
