package dev.arenakit.testing.planted;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.LongFunction;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/// Native calls outside of the native package.
@SuppressWarnings("restricted") // The violations planted here.
public final class NativeCalls {
    private NativeCalls() {}

    /// Violates the rule by obtaining the linker, which is not a restricted call.
    public static final class AsksForTheLinker {
        private AsksForTheLinker() {}

        static Object linker() {
            return Linker.nativeLinker();
        }
    }

    /// Violates the rule by linking a function.
    public static final class Links {
        private Links() {}

        static MethodHandle abs(MemorySegment address) {
            return Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        }
    }

    /// Violates the rule by a reference to the linking method.
    public static final class LinksByReference {
        private LinksByReference() {}

        static Function<FunctionDescriptor, MethodHandle> linking(Linker linker) {
            return linker::downcallHandle;
        }
    }

    /// Violates the rule by a constant of C.
    public static final class DefinesAConstant {
        static final int EPERM = 1;

        private DefinesAConstant() {}
    }

    /// Violates the rule by an option of the linker.
    public static final class TakesAnOption {
        private TakesAnOption() {}

        static int count(Linker.Option... options) {
            return options.length;
        }
    }

    /// Violates the rule by a restricted method.
    public static final class Reinterprets {
        private Reinterprets() {}

        static MemorySegment grow(MemorySegment segment) {
            return segment.reinterpret(8);
        }
    }

    /// Violates the rule by a reference to a restricted method.
    public static final class RefersToReinterpret {
        private RefersToReinterpret() {}

        static LongFunction<MemorySegment> growing(MemorySegment segment) {
            return segment::reinterpret;
        }
    }

    /// Violates the rule by loading a library.
    public static final class LoadsALibrary {
        private LoadsALibrary() {}

        static SymbolLookup load(Path path) {
            return SymbolLookup.libraryLookup(path, Arena.global());
        }
    }

    /// Violates the rule by a layout through which pointers are followed.
    public static final class FollowsPointers {
        private FollowsPointers() {}

        static AddressLayout layout() {
            return ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_LONG);
        }
    }
}
