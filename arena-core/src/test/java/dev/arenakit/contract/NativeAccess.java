package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/// What the suite needs native access for.
@SuppressWarnings("restricted") // A program gets inside an arena's memory, or a cleanup into its scope, in no other way.
final class NativeAccess {
    private static final FunctionDescriptor QSORT = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final FunctionDescriptor COMPARE = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);

    private NativeAccess() {}

    /// Asked before the other methods.
    static boolean isEnabled() {
        return NativeAccess.class.getModule().isNativeAccessEnabled();
    }

    /// Has the arena run the action when it closes.
    static void addCleanup(Arena arena, Runnable action) {
        var _ = MemorySegment.NULL.reinterpret(1, arena, _ -> action.run());
    }

    /// Runs the action while native code works on the segment: the C library sorts its first two bytes, and the action
    /// is what it calls to compare them.
    static void runInside(MemorySegment segment, Runnable action) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        IntSupplier comparison = () -> {
            try {
                action.run();
            } catch (Throwable t) {
                // The caller is native code: an exception that reached it would end the JVM.
                thrown.set(t);
            }
            return 0;
        };
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle compare = MethodHandles.publicLookup()
                    .findVirtual(IntSupplier.class, "getAsInt", MethodType.methodType(int.class))
                    .bindTo(comparison);
            MemorySegment stub = linker.upcallStub(
                    MethodHandles.dropArguments(compare, 0, MemorySegment.class, MemorySegment.class), COMPARE, arena);
            linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"), QSORT)
                    .invokeExact(segment, 2L, 1L,
                            stub);
        } catch (Throwable t) {
            throw new AssertionError("qsort failed", t);
        }
        if (thrown.get() != null) {
            throw new AssertionError("Failed while native code was inside the segment", thrown.get());
        }
    }
}
