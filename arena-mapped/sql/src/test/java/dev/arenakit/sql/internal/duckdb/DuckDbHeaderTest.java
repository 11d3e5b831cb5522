package dev.arenakit.sql.internal.duckdb;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// The declarations of DuckDB's C API agree with a `duckdb.h`, whose path is the value of `-Dduckdb.header`.
class DuckDbHeaderTest {
    private static final Pattern FUNCTION = Pattern.compile("DUCKDB_C?_?API\\s+([^;{}]*?)(duckdb_\\w+)\\(([^;]*?)\\);");
    private static final Pattern CONSTANT = Pattern.compile("DUCKDB_((?:STATEMENT_)?TYPE_\\w+) = (\\d+)");
    private static final MemoryLayout POINTER = JAVA_LONG;

    /// The types that are not pointers. The other types of the header are pointers to structs.
    private static final Map<String, MemoryLayout> TYPES = Map.of("idx_t", JAVA_LONG, "int64_t", JAVA_LONG, "double",
            JAVA_DOUBLE, "bool", JAVA_BOOLEAN, "uint8_t", JAVA_BYTE, "uint32_t", JAVA_INT, "duckdb_state", JAVA_INT,
            "duckdb_type", JAVA_INT, "duckdb_statement_type", JAVA_INT, "duckdb_result", DuckDbHeader.RESULT);

    private static final String NEEDED = "needs the header of DuckDB: mvn verify -Dduckdb.header=/path/of/duckdb.h";

    @Test
    @EnabledIfSystemProperty(named = "duckdb.header", matches = ".+", disabledReason = NEEDED)
    void functions_haveTheTypesOfTheHeader() throws IOException {
        assertFunctions(header());
    }

    @Test
    @EnabledIfSystemProperty(named = "duckdb.header", matches = ".+", disabledReason = NEEDED)
    void constants_haveTheValuesOfTheHeader() throws Exception {
        Map<String, Integer> declared = new HashMap<>();
        CONSTANT.matcher(header()).results().forEach(m -> declared.put(m.group(1), Integer.valueOf(m.group(2))));
        for (Field field : DuckDbHeader.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                assertThat(declared).as(field.getName()).containsEntry(field.getName(), field.getInt(null));
            }
        }
    }

    @Test
    void type_isReadFromADeclaration() {
        assertThat(type("const char *", "duckdb_result *result, idx_t col"))
                .isEqualTo(FunctionDescriptor.of(POINTER, POINTER, JAVA_LONG));
        assertThat(type("void ", "")).isEqualTo(FunctionDescriptor.ofVoid());
        assertThat(type("duckdb_data_chunk ", "duckdb_result result"))
                .isEqualTo(FunctionDescriptor.of(POINTER, DuckDbHeader.RESULT));
    }

    private static void assertFunctions(String header) {
        Map<String, FunctionDescriptor> declared = new HashMap<>();
        Matcher matcher = FUNCTION.matcher(header);
        while (matcher.find()) {
            declared.put(matcher.group(2), type(matcher.group(1), matcher.group(3)));
        }
        for (DuckDbFunction function : DuckDbFunction.values()) {
            assertThat(declared).containsKey(function.cName());
            assertThat(unnamed(function.type())).as(function.cName()).isEqualTo(declared.get(function.cName()));
        }
    }

    private static FunctionDescriptor unnamed(FunctionDescriptor type) {
        MemoryLayout[] arguments = type.argumentLayouts()
                .stream()
                .map(DuckDbHeaderTest::unnamed)
                .toArray(MemoryLayout[]::new);
        return type.returnLayout().isPresent()
                ? FunctionDescriptor.of(unnamed(type.returnLayout().get()), arguments)
                : FunctionDescriptor.ofVoid(arguments);
    }

    private static MemoryLayout unnamed(MemoryLayout layout) {
        return layout.equals(DuckDbHeader.RESULT) ? layout : layout.withoutName();
    }

    private static FunctionDescriptor type(String result, String parameters) {
        List<MemoryLayout> arguments = parameters.isBlank() || parameters.strip().equals("void")
                ? List.of()
                : Stream.of(parameters.split(",", -1)).map(DuckDbHeaderTest::parameter).toList();
        return result.strip().equals("void")
                ? FunctionDescriptor.ofVoid(arguments.toArray(MemoryLayout[]::new))
                : FunctionDescriptor.of(layout(result), arguments.toArray(MemoryLayout[]::new));
    }

    /// A parameter may be a type alone.
    private static MemoryLayout parameter(String parameter) {
        return layout(parameter.strip().split("\\s+", -1).length > 1 && !parameter.contains("*")
                ? parameter.strip().replaceFirst("\\s+\\w+$", "")
                : parameter);
    }

    private static MemoryLayout layout(String type) {
        return type.contains("*") ? POINTER : TYPES.getOrDefault(type.strip(), POINTER);
    }

    private static String header() throws IOException {
        return Files.readString(Path.of(System.getProperty("duckdb.header")))
                .replaceAll("(?s)/\\*.*?\\*/", "")
                .replaceAll("//[^\n]*", "");
    }
}
