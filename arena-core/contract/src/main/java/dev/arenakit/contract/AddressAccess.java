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

/// The operations of the suite that need native access.
@SuppressWarnings("restricted") // There is no other way to use a segment in native code, or to add a cleanup.
final class AddressAccess {
    private static final FunctionDescriptor QSORT = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    private static final FunctionDescriptor COMPARE = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);

    private AddressAccess() {}

    /// Whether the other methods can be called. The JVM grants native access to the module that makes the calls, which
    /// is the module of this class: on the class path, the unnamed module.
    static boolean isEnabled() {
        return AddressAccess.class.getModule().isNativeAccessEnabled();
    }

    /// Makes the arena run the action when it is closed.
    static void addCleanup(Arena arena, Runnable action) {
        var _ = MemorySegment.NULL.reinterpret(1, arena, _ -> action.run());
    }

    /// Runs the action while native code uses the segment: the C library sorts the first two bytes, with the action as
    /// the comparison function.
    static void runWhileInUse(MemorySegment segment, Runnable action) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        IntSupplier comparison = () -> {
            try {
                action.run();
            } catch (Throwable t) {
                // The caller is native code: an uncaught exception would terminate the JVM.
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
            throw new AssertionError("Failed while native code was using the segment", thrown.get());
        }
    }
}
