package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.internal.nativecall.NativeFunctions;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
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
    /// `const char *duckdb_library_version()`
    LIBRARY_VERSION(Type.POINTER),
    /// `void duckdb_free(void *ptr)`
    FREE(Type.run(Type.POINTER)),
    /// `duckdb_state duckdb_create_config(duckdb_config *out_config)`
    CREATE_CONFIG(Type.state(Type.POINTER)),
    /// `duckdb_state duckdb_set_config(duckdb_config config, const char *name, const char *option)`
    SET_CONFIG(Type.state(Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `void duckdb_destroy_config(duckdb_config *config)`
    DESTROY_CONFIG(Type.run(Type.POINTER)),
    /// `duckdb_state duckdb_open_ext(const char *path, duckdb_database *out_database, duckdb_config config, char
    /// **out_error)`
    OPEN_EXT(Type.state(Type.POINTER, Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `void duckdb_close(duckdb_database *database)`
    CLOSE(Type.run(Type.POINTER)),
    /// `duckdb_state duckdb_connect(duckdb_database database, duckdb_connection *out_connection)`
    CONNECT(Type.state(Type.POINTER, Type.POINTER)),
    /// `void duckdb_disconnect(duckdb_connection *connection)`
    DISCONNECT(Type.run(Type.POINTER)),
    /// `void duckdb_interrupt(duckdb_connection connection)`
    INTERRUPT(Type.run(Type.POINTER)),
    /// `idx_t duckdb_extract_statements(duckdb_connection connection, const char *query, duckdb_extracted_statements
    /// *out_extracted_statements)`
    EXTRACT_STATEMENTS(Type.COUNT, Type.POINTER, Type.POINTER, Type.POINTER),
    /// `const char *duckdb_extract_statements_error(duckdb_extracted_statements extracted_statements)`
    EXTRACT_STATEMENTS_ERROR(Type.POINTER, Type.POINTER),
    /// `void duckdb_destroy_extracted(duckdb_extracted_statements *extracted_statements)`
    DESTROY_EXTRACTED(Type.run(Type.POINTER)),
    /// `duckdb_state duckdb_prepare(duckdb_connection connection, const char *query, duckdb_prepared_statement
    /// *out_prepared_statement)`
    PREPARE(Type.state(Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `const char *duckdb_prepare_error(duckdb_prepared_statement prepared_statement)`
    PREPARE_ERROR(Type.POINTER, Type.POINTER),
    /// `idx_t duckdb_nparams(duckdb_prepared_statement prepared_statement)`
    NPARAMS(Type.COUNT, Type.POINTER),
    /// `duckdb_state duckdb_bind_null(duckdb_prepared_statement prepared_statement, idx_t param_idx)`
    BIND_NULL(Type.state(Type.POINTER, Type.COUNT)),
    /// `duckdb_state duckdb_bind_boolean(duckdb_prepared_statement prepared_statement, idx_t param_idx, bool val)`
    BIND_BOOLEAN(Type.state(Type.POINTER, Type.COUNT, JAVA_BOOLEAN)),
    /// `duckdb_state duckdb_bind_int64(duckdb_prepared_statement prepared_statement, idx_t param_idx, int64_t val)`
    BIND_INT64(Type.state(Type.POINTER, Type.COUNT, JAVA_LONG)),
    /// `duckdb_state duckdb_bind_double(duckdb_prepared_statement prepared_statement, idx_t param_idx, double val)`
    BIND_DOUBLE(Type.state(Type.POINTER, Type.COUNT, JAVA_DOUBLE)),
    /// `duckdb_state duckdb_bind_varchar_length(duckdb_prepared_statement prepared_statement, idx_t param_idx, const
    /// char *val, idx_t length)`
    BIND_VARCHAR_LENGTH(Type.state(Type.POINTER, Type.COUNT, Type.POINTER, Type.COUNT)),
    /// `duckdb_state duckdb_bind_blob(duckdb_prepared_statement prepared_statement, idx_t param_idx, const void
    /// *data, idx_t length)`
    BIND_BLOB(Type.state(Type.POINTER, Type.COUNT, Type.POINTER, Type.COUNT)),
    /// `duckdb_state duckdb_execute_prepared(duckdb_prepared_statement prepared_statement, duckdb_result
    /// *out_result)`
    EXECUTE_PREPARED(Type.state(Type.POINTER, Type.POINTER)),
    /// `duckdb_state duckdb_execute_prepared_streaming(duckdb_prepared_statement prepared_statement, duckdb_result
    /// *out_result)`
    EXECUTE_PREPARED_STREAMING(Type.state(Type.POINTER, Type.POINTER)),
    /// `void duckdb_destroy_prepare(duckdb_prepared_statement *prepared_statement)`
    DESTROY_PREPARE(Type.run(Type.POINTER)),
    /// `const char *duckdb_result_error(duckdb_result *result)`
    RESULT_ERROR(Type.POINTER, Type.POINTER),
    /// `idx_t duckdb_column_count(duckdb_result *result)`
    COLUMN_COUNT(Type.COUNT, Type.POINTER),
    /// `const char *duckdb_column_name(duckdb_result *result, idx_t col)`
    COLUMN_NAME(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_logical_type duckdb_column_logical_type(duckdb_result *result, idx_t col)`
    COLUMN_LOGICAL_TYPE(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_data_chunk duckdb_fetch_chunk(duckdb_result result)`
    FETCH_CHUNK(FunctionDescriptor.of(Type.POINTER, DuckDbHeader.RESULT)),
    /// `duckdb_statement_type duckdb_prepared_statement_type(duckdb_prepared_statement statement)`
    PREPARED_STATEMENT_TYPE(Type.state(Type.POINTER)),
    /// `void duckdb_destroy_result(duckdb_result *result)`
    DESTROY_RESULT(Type.run(Type.POINTER)),
    /// `duckdb_logical_type duckdb_create_logical_type(duckdb_type type)`
    CREATE_LOGICAL_TYPE(Type.POINTER, JAVA_INT),
    /// `duckdb_logical_type duckdb_create_list_type(duckdb_logical_type type)`
    CREATE_LIST_TYPE(Type.POINTER, Type.POINTER),
    /// `duckdb_logical_type duckdb_create_array_type(duckdb_logical_type type, idx_t array_size)`
    CREATE_ARRAY_TYPE(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_logical_type duckdb_create_struct_type(duckdb_logical_type *member_types, const char **member_names,
    /// idx_t member_count)`
    CREATE_STRUCT_TYPE(Type.POINTER, Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_logical_type duckdb_create_enum_type(const char **member_names, idx_t member_count)`
    CREATE_ENUM_TYPE(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `void duckdb_destroy_logical_type(duckdb_logical_type *type)`
    DESTROY_LOGICAL_TYPE(Type.run(Type.POINTER)),
    /// `duckdb_type duckdb_get_type_id(duckdb_logical_type type)`
    GET_TYPE_ID(Type.state(Type.POINTER)),
    /// `uint8_t duckdb_decimal_scale(duckdb_logical_type type)`
    DECIMAL_SCALE(JAVA_BYTE, Type.POINTER),
    /// `duckdb_type duckdb_decimal_internal_type(duckdb_logical_type type)`
    DECIMAL_INTERNAL_TYPE(Type.state(Type.POINTER)),
    /// `duckdb_type duckdb_enum_internal_type(duckdb_logical_type type)`
    ENUM_INTERNAL_TYPE(Type.state(Type.POINTER)),
    /// `uint32_t duckdb_enum_dictionary_size(duckdb_logical_type type)`
    ENUM_DICTIONARY_SIZE(Type.state(Type.POINTER)),
    /// `char *duckdb_enum_dictionary_value(duckdb_logical_type type, idx_t index)`
    ENUM_DICTIONARY_VALUE(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_logical_type duckdb_list_type_child_type(duckdb_logical_type type)`
    LIST_TYPE_CHILD_TYPE(Type.POINTER, Type.POINTER),
    /// `duckdb_logical_type duckdb_array_type_child_type(duckdb_logical_type type)`
    ARRAY_TYPE_CHILD_TYPE(Type.POINTER, Type.POINTER),
    /// `idx_t duckdb_array_type_array_size(duckdb_logical_type type)`
    ARRAY_TYPE_ARRAY_SIZE(Type.COUNT, Type.POINTER),
    /// `idx_t duckdb_struct_type_child_count(duckdb_logical_type type)`
    STRUCT_TYPE_CHILD_COUNT(Type.COUNT, Type.POINTER),
    /// `char *duckdb_struct_type_child_name(duckdb_logical_type type, idx_t index)`
    STRUCT_TYPE_CHILD_NAME(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_logical_type duckdb_struct_type_child_type(duckdb_logical_type type, idx_t index)`
    STRUCT_TYPE_CHILD_TYPE(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `idx_t duckdb_data_chunk_get_size(duckdb_data_chunk chunk)`
    DATA_CHUNK_GET_SIZE(Type.COUNT, Type.POINTER),
    /// `void duckdb_data_chunk_set_size(duckdb_data_chunk chunk, idx_t size)`
    DATA_CHUNK_SET_SIZE(Type.run(Type.POINTER, Type.COUNT)),
    /// `duckdb_vector duckdb_data_chunk_get_vector(duckdb_data_chunk chunk, idx_t col_idx)`
    DATA_CHUNK_GET_VECTOR(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `void duckdb_destroy_data_chunk(duckdb_data_chunk *chunk)`
    DESTROY_DATA_CHUNK(Type.run(Type.POINTER)),
    /// `idx_t duckdb_vector_size()`
    VECTOR_SIZE(Type.COUNT),
    /// `void *duckdb_vector_get_data(duckdb_vector vector)`
    VECTOR_GET_DATA(Type.POINTER, Type.POINTER),
    /// `uint64_t *duckdb_vector_get_validity(duckdb_vector vector)`
    VECTOR_GET_VALIDITY(Type.POINTER, Type.POINTER),
    /// `void duckdb_vector_ensure_validity_writable(duckdb_vector vector)`
    VECTOR_ENSURE_VALIDITY_WRITABLE(Type.run(Type.POINTER)),
    /// `void duckdb_vector_assign_string_element_len(duckdb_vector vector, idx_t index, const char *str, idx_t
    /// str_len)`
    VECTOR_ASSIGN_STRING_ELEMENT_LEN(Type.run(Type.POINTER, Type.COUNT, Type.POINTER, Type.COUNT)),
    /// `duckdb_vector duckdb_list_vector_get_child(duckdb_vector vector)`
    LIST_VECTOR_GET_CHILD(Type.POINTER, Type.POINTER),
    /// `duckdb_state duckdb_list_vector_reserve(duckdb_vector vector, idx_t required_capacity)`
    LIST_VECTOR_RESERVE(Type.state(Type.POINTER, Type.COUNT)),
    /// `duckdb_state duckdb_list_vector_set_size(duckdb_vector vector, idx_t size)`
    LIST_VECTOR_SET_SIZE(Type.state(Type.POINTER, Type.COUNT)),
    /// `duckdb_vector duckdb_array_vector_get_child(duckdb_vector vector)`
    ARRAY_VECTOR_GET_CHILD(Type.POINTER, Type.POINTER),
    /// `duckdb_vector duckdb_struct_vector_get_child(duckdb_vector vector, idx_t index)`
    STRUCT_VECTOR_GET_CHILD(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `duckdb_table_function duckdb_create_table_function()`
    CREATE_TABLE_FUNCTION(Type.POINTER),
    /// `void duckdb_table_function_set_name(duckdb_table_function table_function, const char *name)`
    TABLE_FUNCTION_SET_NAME(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_add_parameter(duckdb_table_function table_function, duckdb_logical_type type)`
    TABLE_FUNCTION_ADD_PARAMETER(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_set_bind(duckdb_table_function table_function, duckdb_table_function_bind_t bind)`
    TABLE_FUNCTION_SET_BIND(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_set_init(duckdb_table_function table_function, duckdb_table_function_init_t init)`
    TABLE_FUNCTION_SET_INIT(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_set_local_init(duckdb_table_function table_function, duckdb_table_function_init_t
    /// init)`
    TABLE_FUNCTION_SET_LOCAL_INIT(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_set_function(duckdb_table_function table_function, duckdb_table_function_t
    /// function)`
    TABLE_FUNCTION_SET_FUNCTION(Type.run(Type.POINTER, Type.POINTER)),
    /// `void duckdb_table_function_supports_projection_pushdown(duckdb_table_function table_function, bool pushdown)`
    TABLE_FUNCTION_SUPPORTS_PROJECTION_PUSHDOWN(Type.run(Type.POINTER, JAVA_BOOLEAN)),
    /// `duckdb_state duckdb_register_table_function(duckdb_connection con, duckdb_table_function function)`
    REGISTER_TABLE_FUNCTION(Type.state(Type.POINTER, Type.POINTER)),
    /// `void duckdb_destroy_table_function(duckdb_table_function *table_function)`
    DESTROY_TABLE_FUNCTION(Type.run(Type.POINTER)),
    /// `duckdb_value duckdb_bind_get_parameter(duckdb_bind_info info, idx_t index)`
    BIND_GET_PARAMETER(Type.POINTER, Type.POINTER, Type.COUNT),
    /// `int64_t duckdb_get_int64(duckdb_value val)`
    GET_INT64(JAVA_LONG, Type.POINTER),
    /// `bool duckdb_is_null_value(duckdb_value value)`
    IS_NULL_VALUE(JAVA_BOOLEAN, Type.POINTER),
    /// `void duckdb_destroy_value(duckdb_value *value)`
    DESTROY_VALUE(Type.run(Type.POINTER)),
    /// `void duckdb_bind_add_result_column(duckdb_bind_info info, const char *name, duckdb_logical_type type)`
    BIND_ADD_RESULT_COLUMN(Type.run(Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `void duckdb_bind_set_bind_data(duckdb_bind_info info, void *bind_data, duckdb_delete_callback_t destroy)`
    BIND_SET_BIND_DATA(Type.run(Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `void duckdb_bind_set_cardinality(duckdb_bind_info info, idx_t cardinality, bool is_exact)`
    BIND_SET_CARDINALITY(Type.run(Type.POINTER, Type.COUNT, JAVA_BOOLEAN)),
    /// `void duckdb_bind_set_error(duckdb_bind_info info, const char *error)`
    BIND_SET_ERROR(Type.run(Type.POINTER, Type.POINTER)),
    /// `void *duckdb_init_get_bind_data(duckdb_init_info info)`
    INIT_GET_BIND_DATA(Type.POINTER, Type.POINTER),
    /// `idx_t duckdb_init_get_column_count(duckdb_init_info info)`
    INIT_GET_COLUMN_COUNT(Type.COUNT, Type.POINTER),
    /// `idx_t duckdb_init_get_column_index(duckdb_init_info info, idx_t column_index)`
    INIT_GET_COLUMN_INDEX(Type.COUNT, Type.POINTER, Type.COUNT),
    /// `void duckdb_init_set_init_data(duckdb_init_info info, void *init_data, duckdb_delete_callback_t destroy)`
    INIT_SET_INIT_DATA(Type.run(Type.POINTER, Type.POINTER, Type.POINTER)),
    /// `void duckdb_init_set_max_threads(duckdb_init_info info, idx_t max_threads)`
    INIT_SET_MAX_THREADS(Type.run(Type.POINTER, Type.COUNT)),
    /// `void duckdb_init_set_error(duckdb_init_info info, const char *error)`
    INIT_SET_ERROR(Type.run(Type.POINTER, Type.POINTER)),
    /// `void *duckdb_function_get_init_data(duckdb_function_info info)`
    FUNCTION_GET_INIT_DATA(Type.POINTER, Type.POINTER),
    /// `void *duckdb_function_get_local_init_data(duckdb_function_info info)`
    FUNCTION_GET_LOCAL_INIT_DATA(Type.POINTER, Type.POINTER),
    /// `void duckdb_function_set_error(duckdb_function_info info, const char *error)`
    FUNCTION_SET_ERROR(Type.run(Type.POINTER, Type.POINTER));

    @SuppressWarnings("ImmutableEnumChecker") // A FunctionDescriptor is immutable, though no annotation says so.
    private final FunctionDescriptor type;
    private final int integerCount;
    private final long resultMask;

    DuckDbFunction(FunctionDescriptor type) {
        this.type = type;
        boolean hasIntegers = type.argumentLayouts()
                .stream()
                .allMatch(argument -> argument instanceof ValueLayout && !argument.equals(JAVA_DOUBLE));
        integerCount = hasIntegers ? type.argumentLayouts().size() : -1;
        resultMask = -1L >>> (Long.SIZE
                - type.returnLayout().map(result -> Byte.SIZE * (int) result.byteSize()).orElse(Long.SIZE));
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

    /// The number of arguments if all are integers, or -1.
    int integerCount() {
        return integerCount;
    }

    /// Returns the result in a register, whose other bits have no meaning. No function returns a negative number of
    /// fewer than 64 bits.
    long result(long register) {
        return register & resultMask;
    }

    /// Returns a handle that takes the address as its first argument, and an array of segments as its last argument,
    /// unless their number is 0. The function ignores the segments, but their arenas cannot be closed during a call.
    MethodHandle handleByAddress(int segments) {
        MemoryLayout[] surplus = Stream.generate(() -> ADDRESS).limit(segments).toArray(MemoryLayout[]::new);
        MethodHandle handle = NativeFunctions.downcallHandle(type.appendArgumentLayouts(surplus));
        return segments == 0 ? handle : handle.asSpreader(MemorySegment[].class, segments);
    }

    static final class Type {
        static final ValueLayout.OfLong POINTER = JAVA_LONG.withName("address");
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
