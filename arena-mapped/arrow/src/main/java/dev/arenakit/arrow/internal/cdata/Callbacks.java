package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.Memory;
import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The functions that consumers call, from any thread. There is one of each kind in the process, for all exports.
///
/// An exception that left such a function would terminate the JVM.
///
/// Native access is checked before the first use of this class.
final class Callbacks {
    /// `void function(void *)`
    static final FunctionDescriptor RUN = FunctionDescriptor.ofVoid(JAVA_LONG);

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final long RELEASE_SCHEMA = ConsumerFunction.RELEASE_SCHEMA
            .link(stub(LOOKUP, "release", RUN, CStruct.SCHEMA));
    private static final long RELEASE_ARRAY = ConsumerFunction.RELEASE_ARRAY
            .link(stub(LOOKUP, "release", RUN, CStruct.ARRAY));

    private Callbacks() {}

    /// Returns the address of the function that releases structs of a kind.
    static long release(CStruct struct) {
        return switch (struct) {
            case SCHEMA -> RELEASE_SCHEMA;
            case ARRAY -> RELEASE_ARRAY;
            case STREAM -> OfStreams.RELEASE;
        };
    }

    /// Returns the address of a function that calls a static method of the lookup's class, and that needs no heap memory
    /// any more.
    ///
    /// @param method a method that never throws, and that has no effect if the first argument of the function is 0
    /// @param bound  the arguments of the method before the arguments of the function
    static long stub(MethodHandles.Lookup lookup, String method, FunctionDescriptor type, CStruct... bound) {
        try {
            MethodHandle target = MethodHandles.insertArguments(lookup.findStatic(lookup.lookupClass(), method,
                    type.toMethodType().insertParameterTypes(0, Collections.nCopies(bound.length, CStruct.class))), 0,
                    (Object[]) bound);
            MemorySegment stub = NativeFunctions.upcallStub(target, type, Arena.global());
            MethodHandle call = NativeFunctions.downcallHandle(type);
            List<Object> arguments = new ArrayList<>(List.of(stub));
            type.argumentLayouts().forEach(_ -> arguments.add(0L));
            for (int i = 0; i < NativeFunctions.CALLS_THAT_NEED_HEAP; i++) {
                Object _ = call.invokeWithArguments(arguments);
            }
            return stub.address();
        } catch (Error e) {
            throw e;
        } catch (Throwable t) {
            throw new LinkageError("Function for consumers cannot be linked: method=" + method, t);
        }
    }

    @SuppressWarnings("UnusedMethod") // Called by consumers.
    private static void release(CStruct kind, long struct) {
        try {
            kind.release(struct);
        } catch (Throwable _) {
            // Some memory may remain allocated.
        }
    }

    /// A class of its own, because linking takes tens of milliseconds.
    static final class OfStreams {
        private static final FunctionDescriptor CALL = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
        private static final FunctionDescriptor TEXT = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
        private static final long RELEASE = ConsumerFunction.RELEASE_STREAM
                .link(stub(LOOKUP, "release", RUN, CStruct.STREAM));
        private static final long GET_SCHEMA = ConsumerFunction.GET_SCHEMA
                .link(stub(LOOKUP, "get", CALL, CStruct.SCHEMA));
        private static final long GET_NEXT = ConsumerFunction.GET_NEXT.link(stub(LOOKUP, "get", CALL, CStruct.ARRAY));
        private static final long GET_LAST_ERROR = ConsumerFunction.GET_LAST_ERROR
                .link(stub(LOOKUP, "getLastError", TEXT));

        private OfStreams() {}

        /// Writes the functions of a stream, except the one that releases it.
        static void write(long struct) {
            Memory.putLong(struct + CStruct.STREAM_GET_SCHEMA, GET_SCHEMA);
            Memory.putLong(struct + CStruct.STREAM_GET_NEXT, GET_NEXT);
            Memory.putLong(struct + CStruct.STREAM_GET_LAST_ERROR, GET_LAST_ERROR);
        }
    }

    @SuppressWarnings("UnusedMethod") // Called by consumers.
    private static int get(CStruct kind, long stream, long to) {
        try {
            return stream == 0
                    ? 0
                    : kind == CStruct.SCHEMA
                            ? StructStream.of(stream).writeSchema(to)
                            : StructStream.of(stream).writeNext(to);
        } catch (Throwable _) {
            return StructStream.FAILED;
        }
    }

    @SuppressWarnings("UnusedMethod") // Called by consumers.
    private static long getLastError(long stream) {
        try {
            return stream == 0 ? 0 : StructStream.of(stream).lastError();
        } catch (Throwable _) {
            return 0;
        }
    }
}
