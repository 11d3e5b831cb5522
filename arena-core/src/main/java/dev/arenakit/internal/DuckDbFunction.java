package dev.arenakit.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Locale;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The functions of DuckDB's C API that this module calls, with the types that `duckdb.h` declares.
///
/// A function has the name of its constant with the prefix `duckdb_`. Pointers are passed as `long`, which has the same
/// registers on x86-64 and aarch64.
public enum DuckDbFunction {
    LIBRARY_VERSION(Type.POINTER), FREE(Type.run(Type.POINTER)),

    CREATE_CONFIG(Type.state(Type.POINTER)), SET_CONFIG(
            Type.state(Type.POINTER, Type.POINTER, Type.POINTER)), DESTROY_CONFIG(Type.run(Type.POINTER)), OPEN_EXT(
                    Type.state(Type.POINTER, Type.POINTER, Type.POINTER, Type.POINTER)), CLOSE(
                            Type.run(Type.POINTER)), CONNECT(Type.state(Type.POINTER, Type.POINTER)), DISCONNECT(
                                    Type.run(Type.POINTER)), INTERRUPT(Type.run(Type.POINTER)),

    PREPARE(Type.state(Type.POINTER, Type.POINTER, Type.POINTER)), PREPARE_ERROR(Type.POINTER,
            Type.POINTER), NPARAMS(Type.COUNT, Type.POINTER), BIND_NULL(Type.state(Type.POINTER,
                    Type.COUNT)), BIND_BOOLEAN(Type.state(Type.POINTER, Type.COUNT, JAVA_BOOLEAN)), BIND_INT64(
                            Type.state(Type.POINTER, Type.COUNT, JAVA_LONG)), BIND_DOUBLE(
                                    Type.state(Type.POINTER, Type.COUNT, JAVA_DOUBLE)), BIND_VARCHAR_LENGTH(
                                            Type.state(Type.POINTER, Type.COUNT, Type.POINTER, Type.COUNT)), BIND_BLOB(
                                                    Type.state(Type.POINTER, Type.COUNT, Type.POINTER,
                                                            Type.COUNT)), EXECUTE_PREPARED(
                                                                    Type.state(Type.POINTER,
                                                                            Type.POINTER)), DESTROY_PREPARE(
                                                                                    Type.run(Type.POINTER)),

    RESULT_ERROR(Type.POINTER, Type.POINTER), COLUMN_COUNT(Type.COUNT, Type.POINTER), COLUMN_NAME(Type.POINTER,
            Type.POINTER, Type.COUNT), COLUMN_LOGICAL_TYPE(Type.POINTER, Type.POINTER, Type.COUNT), FETCH_CHUNK(
                    FunctionDescriptor.of(Type.POINTER, DuckDbHeader.RESULT)), DESTROY_RESULT(Type.run(Type.POINTER)),

    CREATE_LOGICAL_TYPE(Type.POINTER, JAVA_INT), CREATE_LIST_TYPE(Type.POINTER, Type.POINTER), CREATE_ARRAY_TYPE(
            Type.POINTER, Type.POINTER, Type.COUNT), CREATE_STRUCT_TYPE(Type.POINTER, Type.POINTER, Type.POINTER,
                    Type.COUNT), CREATE_ENUM_TYPE(Type.POINTER, Type.POINTER, Type.COUNT), DESTROY_LOGICAL_TYPE(
                            Type.run(Type.POINTER)), GET_TYPE_ID(Type.state(Type.POINTER)), DECIMAL_SCALE(JAVA_BYTE,
                                    Type.POINTER), DECIMAL_INTERNAL_TYPE(Type.state(Type.POINTER)), ENUM_INTERNAL_TYPE(
                                            Type.state(Type.POINTER)), ENUM_DICTIONARY_SIZE(
                                                    Type.state(Type.POINTER)), ENUM_DICTIONARY_VALUE(Type.POINTER,
                                                            Type.POINTER,
                                                            Type.COUNT), LIST_TYPE_CHILD_TYPE(Type.POINTER,
                                                                    Type.POINTER), ARRAY_TYPE_CHILD_TYPE(Type.POINTER,
                                                                            Type.POINTER), ARRAY_TYPE_ARRAY_SIZE(
                                                                                    Type.COUNT,
                                                                                    Type.POINTER), STRUCT_TYPE_CHILD_COUNT(
                                                                                            Type.COUNT,
                                                                                            Type.POINTER), STRUCT_TYPE_CHILD_NAME(
                                                                                                    Type.POINTER,
                                                                                                    Type.POINTER,
                                                                                                    Type.COUNT), STRUCT_TYPE_CHILD_TYPE(
                                                                                                            Type.POINTER,
                                                                                                            Type.POINTER,
                                                                                                            Type.COUNT),

    DATA_CHUNK_GET_SIZE(Type.COUNT, Type.POINTER), DATA_CHUNK_SET_SIZE(
            Type.run(Type.POINTER, Type.COUNT)), DATA_CHUNK_GET_VECTOR(Type.POINTER, Type.POINTER,
                    Type.COUNT), DESTROY_DATA_CHUNK(Type.run(Type.POINTER)), VECTOR_SIZE(
                            Type.COUNT), VECTOR_GET_DATA(Type.POINTER, Type.POINTER), VECTOR_GET_VALIDITY(Type.POINTER,
                                    Type.POINTER), VECTOR_ENSURE_VALIDITY_WRITABLE(
                                            Type.run(Type.POINTER)), VECTOR_ASSIGN_STRING_ELEMENT_LEN(Type.run(
                                                    Type.POINTER, Type.COUNT, Type.POINTER,
                                                    Type.COUNT)), LIST_VECTOR_GET_CHILD(
                                                            Type.POINTER,
                                                            Type.POINTER), LIST_VECTOR_RESERVE(Type.state(Type.POINTER,
                                                                    Type.COUNT)), LIST_VECTOR_SET_SIZE(
                                                                            Type.state(Type.POINTER,
                                                                                    Type.COUNT)), ARRAY_VECTOR_GET_CHILD(
                                                                                            Type.POINTER,
                                                                                            Type.POINTER), STRUCT_VECTOR_GET_CHILD(
                                                                                                    Type.POINTER,
                                                                                                    Type.POINTER,
                                                                                                    Type.COUNT),

    CREATE_TABLE_FUNCTION(Type.POINTER), TABLE_FUNCTION_SET_NAME(Type.run(Type.POINTER,
            Type.POINTER)), TABLE_FUNCTION_ADD_PARAMETER(Type.run(Type.POINTER, Type.POINTER)), TABLE_FUNCTION_SET_BIND(
                    Type.run(Type.POINTER, Type.POINTER)), TABLE_FUNCTION_SET_INIT(
                            Type.run(Type.POINTER, Type.POINTER)), TABLE_FUNCTION_SET_LOCAL_INIT(
                                    Type.run(Type.POINTER, Type.POINTER)), TABLE_FUNCTION_SET_FUNCTION(Type.run(
                                            Type.POINTER, Type.POINTER)), TABLE_FUNCTION_SUPPORTS_PROJECTION_PUSHDOWN(
                                                    Type.run(Type.POINTER, JAVA_BOOLEAN)), REGISTER_TABLE_FUNCTION(Type
                                                            .state(Type.POINTER, Type.POINTER)), DESTROY_TABLE_FUNCTION(
                                                                    Type.run(Type.POINTER)), BIND_GET_PARAMETER(
                                                                            Type.POINTER, Type.POINTER,
                                                                            Type.COUNT), GET_INT64(JAVA_LONG,
                                                                                    Type.POINTER), DESTROY_VALUE(Type
                                                                                            .run(Type.POINTER)), BIND_ADD_RESULT_COLUMN(
                                                                                                    Type.run(
                                                                                                            Type.POINTER,
                                                                                                            Type.POINTER,
                                                                                                            Type.POINTER)), BIND_SET_BIND_DATA(
                                                                                                                    Type.run(
                                                                                                                            Type.POINTER,
                                                                                                                            Type.POINTER,
                                                                                                                            Type.POINTER)), BIND_SET_CARDINALITY(
                                                                                                                                    Type.run(
                                                                                                                                            Type.POINTER,
                                                                                                                                            Type.COUNT,
                                                                                                                                            JAVA_BOOLEAN)), BIND_SET_ERROR(
                                                                                                                                                    Type.run(
                                                                                                                                                            Type.POINTER,
                                                                                                                                                            Type.POINTER)), INIT_GET_BIND_DATA(
                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                    Type.POINTER), INIT_GET_COLUMN_COUNT(
                                                                                                                                                                            Type.COUNT,
                                                                                                                                                                            Type.POINTER), INIT_GET_COLUMN_INDEX(
                                                                                                                                                                                    Type.COUNT,
                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                    Type.COUNT), INIT_SET_INIT_DATA(
                                                                                                                                                                                            Type.run(
                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                    Type.POINTER)), INIT_SET_MAX_THREADS(
                                                                                                                                                                                                            Type.run(
                                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                                    Type.COUNT)), INIT_SET_ERROR(
                                                                                                                                                                                                                            Type.run(
                                                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                                                    Type.POINTER)), FUNCTION_GET_INIT_DATA(
                                                                                                                                                                                                                                            Type.POINTER,
                                                                                                                                                                                                                                            Type.POINTER), FUNCTION_GET_LOCAL_INIT_DATA(
                                                                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                                                                    Type.POINTER), FUNCTION_SET_ERROR(
                                                                                                                                                                                                                                                            Type.run(
                                                                                                                                                                                                                                                                    Type.POINTER,
                                                                                                                                                                                                                                                                    Type.POINTER));

    @SuppressWarnings("ImmutableEnumChecker") // A FunctionDescriptor is immutable, though no annotation says so.
    private final FunctionDescriptor type;
    @SuppressWarnings("ImmutableEnumChecker")
    private final MethodType methodType;

    DuckDbFunction(FunctionDescriptor type) {
        this.type = type;
        methodType = type.toMethodType().insertParameterTypes(0, MemorySegment.class);
    }

    DuckDbFunction(MemoryLayout result, MemoryLayout... arguments) {
        this(FunctionDescriptor.of(result, arguments));
    }

    /// {@return the name in C}
    public String cName() {
        return "duckdb_" + name().toLowerCase(Locale.ROOT);
    }

    FunctionDescriptor type() {
        return type;
    }

    /// Whether a handle that takes the address as its first argument can call this function. Types of methods are
    /// unique objects.
    @SuppressWarnings("ReferenceEquality")
    boolean hasTypeOf(MethodHandle handle) {
        return methodType == handle.type();
    }

    /// Returns a handle that takes the address as its first argument, for this function and others of the same type.
    MethodHandle handleByAddress() {
        return handleByAddress(0);
    }

    /// Returns a handle that takes the address as its first argument, and surplus arguments as an array of segments in
    /// its last one. The function ignores them, but their arenas cannot be closed during a call.
    @SuppressWarnings("restricted")
    MethodHandle handleByAddress(int segments) {
        MemoryLayout[] surplus = Stream.generate(() -> ADDRESS).limit(segments).toArray(MemoryLayout[]::new);
        MethodHandle handle = Linker.nativeLinker().downcallHandle(type.appendArgumentLayouts(surplus));
        return segments == 0 ? handle : handle.asSpreader(MemorySegment[].class, segments);
    }

    /// Returns the address of a function that calls a Java method, which must not throw.
    ///
    /// @param arena the lifetime of the function
    @SuppressWarnings("restricted")
    static MemorySegment callback(MethodHandle method, FunctionDescriptor type, Arena arena) {
        return Linker.nativeLinker().upcallStub(method, type, arena);
    }

    static final class Type {
        static final ValueLayout.OfLong POINTER = CFunction.Type.ADDRESS_AS_LONG;
        /// `idx_t`
        static final ValueLayout.OfLong COUNT = JAVA_LONG;

        private Type() {}

        /// The type of a function that returns a `duckdb_state`, a `duckdb_type` or an `uint32_t`.
        static FunctionDescriptor state(MemoryLayout... arguments) {
            return FunctionDescriptor.of(JAVA_INT, arguments);
        }

        static FunctionDescriptor run(MemoryLayout... arguments) {
            return FunctionDescriptor.ofVoid(arguments);
        }
    }
}
