package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// Operations on the scope of an arena that any user can perform with public methods.
@SuppressWarnings("restricted") // A cleanup needs reinterpret, and a segment in use needs a downcall.
final class ScopeAccess {
    private ScopeAccess() {}

    /// Adds a cleanup to a scope. The scope is sufficient, because `reinterpret` uses nothing else of an arena.
    static void addCleanup(MemorySegment.Scope scope, Runnable action) {
        var _ = MemorySegment.NULL.reinterpret(1, new ScopeOnly(scope), _ -> action.run());
    }

    /// Runs the action while native code uses the segment, in a downcall whose function is the action.
    static void runWhileInUse(MemorySegment segment, Runnable action) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Consumer<MemorySegment> guarded = _ -> {
            try {
                action.run();
            } catch (Throwable t) {
                // The caller is native code: an uncaught exception would terminate the JVM.
                thrown.set(t);
            }
        };
        FunctionDescriptor descriptor = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS);
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle target = MethodHandles.lookup()
                    .bind(guarded, "accept",
                            MethodType.methodType(void.class, Object.class));
            Linker linker = Linker.nativeLinker();
            MemorySegment stub = linker.upcallStub(target.asType(descriptor.toMethodType()), descriptor, arena);
            linker.downcallHandle(stub, descriptor).invokeExact(segment);
        } catch (Throwable t) {
            throw new AssertionError("Downcall failed", t);
        }
        if (thrown.get() != null) {
            throw new AssertionError("Failed inside the segment", thrown.get());
        }
    }

    private record ScopeOnly(MemorySegment.Scope scope) implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }
}
