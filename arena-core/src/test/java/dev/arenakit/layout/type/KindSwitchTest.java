package dev.arenakit.layout.type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A new kind of type is a change in few files: the files that ask for the kind of a type are listed here. A file asks
/// for the kind if a `switch` has patterns of two kinds or more, or if `instanceof` tests for more than half of the
/// kinds.
class KindSwitchTest {
    private static final int LARGEST_COUNT = 16;
    private static final Set<String> KINDS = Arrays.stream(MemoryType.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toSet());
    private static final Pattern COMMENT_OR_TEXT = Pattern
            .compile("//[^\\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'",
                    Pattern.DOTALL);
    private static final Pattern SWITCH = Pattern.compile("\\bswitch\\s*\\(");
    /// The label of a case, up to its arrow or colon.
    private static final Pattern LABEL = Pattern.compile("\\bcase\\b[^;{}]*?(?:->|:)");
    /// A type before the name of a variable or before the components of a record.
    private static final Pattern KIND = Pattern.compile("\\b([A-Z]\\w*)(?=\\s*\\(|\\s+\\w)");
    private static final Pattern INSTANCEOF = Pattern.compile("\\binstanceof\\s+([A-Z]\\w*)");

    /// The files of all modules except for the benchmarks and the examples.
    private static final Set<String> ASKING = Set.of(
            // The walk over values.
            "internal/dump/Decoders",
            // Texts of layouts: the grammar, C, and ImHex; the types in the picture of an image.
            "internal/layout/text/LayoutPrinter", "internal/layout/text/LayoutTypeBuilder",
            "internal/layout/text/CHeaderDeclarations", "tool/export/HexpatTypes", "tool/page/PageTypes",
            // Planners of mappers and views, and of the keys that are records.
            "internal/layout/declaration/TypeCompatibility", "internal/layout/declaration/DeclaredTargets",
            "internal/layout/record/RecordValuePlanner", "internal/layout/value/ArrayCodec",
            "internal/layout/view/ViewValueHandles", "mapped/internal/tree/RecordKeys",
            // The columns, and what writes values into structs.
            "mapped/internal/column/ColumnTypes", "tool/importing/ImportField",
            "layout/type/ColumnTableFormat",
            // The types of C headers as records.
            "tool/types/JavaTypes");

    @Test
    void filesThatAskForTheKindOfAType_areFewAndListed() throws IOException {
        Set<String> asking = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            for (Path file : (Iterable<Path>) files.filter(KindSwitchTest::isOurs)::iterator) {
                String source = Files.readString(file);
                if (KINDS.stream().anyMatch(source::contains) && asksForTheKind(source)) {
                    String name = file.toString().replace('\\', '/');
                    asking.add(name.substring(name.indexOf("/dev/arenakit/") + "/dev/arenakit/".length(),
                            name.length() - ".java".length()));
                }
            }
        }
        assertThat(asking).containsExactlyInAnyOrderElementsOf(ASKING).hasSizeLessThanOrEqualTo(LARGEST_COUNT);
    }

    private static boolean isOurs(Path file) {
        String name = file.toString().replace('\\', '/');
        return name.endsWith(".java") && name.contains("/src/main/java/dev/arenakit/") && !name.startsWith("../bench/")
                && !name.startsWith("../examples/");
    }

    @Test
    void switchOverTwoKinds_isFound() {
        assertThat(asksForTheKind(planted("""
                return switch (type) {
                    case StructType struct -> 1;
                    case ArrayType(MemoryType element, long length, long byteAlignment, var count) -> 2;
                    default -> 3;
                };"""))).isTrue();
        assertThat(asksForTheKind(planted("""
                switch (type) {
                    case ValueType _, UnsignedType _:
                        return 1;
                    default:
                        return 2;
                }"""))).isTrue();
        assertThat(asksForTheKind(planted("""
                return switch (type) {
                    case StructType struct -> 1;
                    default -> 3;
                };"""))).isFalse();
    }

    @Test
    void instanceofMoreThanHalfOfTheKinds_isFound() {
        String five = "type instanceof StructType || type instanceof UnionType || type instanceof ArrayType"
                + " || type instanceof AddressType address && address.byteSize() > 8 || type instanceof StructType"
                + " || type instanceof RefType";
        assertThat(asksForTheKind(planted("return " + five + " ? 1 : 2;"))).isFalse();
        assertThat(asksForTheKind(planted("return " + five + " || type instanceof EnumType ? 1 : 2;"))).isTrue();
    }

    private static String planted(String statement) {
        return "class Planted { int of(MemoryType type) { " + statement + " } }";
    }

    private static boolean asksForTheKind(String source) {
        String code = COMMENT_OR_TEXT.matcher(source).replaceAll(" ");
        Set<String> tested = new HashSet<>();
        addKinds(INSTANCEOF, code, tested);
        boolean hasSwitch = false;
        for (Matcher start = SWITCH.matcher(code); start.find();) {
            Set<String> kinds = new HashSet<>();
            for (Matcher label = LABEL.matcher(body(code, start.end())); label.find();) {
                addKinds(KIND, label.group(), kinds);
            }
            hasSwitch |= kinds.size() > 1;
        }
        return hasSwitch || tested.size() > KINDS.size() / 2;
    }

    /// The code from an offset up to the end of its first block.
    private static String body(String code, int from) {
        int depth = 0;
        for (int i = from; i < code.length(); i++) {
            depth += code.charAt(i) == '{' ? 1 : code.charAt(i) == '}' ? -1 : 0;
            if (code.charAt(i) == '}' && depth == 0) {
                return code.substring(from, i);
            }
        }
        throw new AssertionError("The block of a switch has an end");
    }

    private static void addKinds(Pattern pattern, String code, Set<String> kinds) {
        pattern.matcher(code).results().map(found -> found.group(1)).filter(KINDS::contains).forEach(kinds::add);
    }
}
