package dev.arenakit.tool.export;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/// Reads the sizes and offsets of an ImHex pattern. It understands the part of the language that exports use.
final class HexpatLayout {
    private static final Pattern TYPE = Pattern
            .compile("(struct|union|enum) (\\w+)(?: : (\\w+))? \\{\n(.*?)}(?: \\[\\[static]])?;\n", Pattern.DOTALL);
    private static final Pattern ALIAS = Pattern.compile("using (\\w+) = (\\w+) ");
    private static final Pattern VARIABLE = Pattern
            .compile("(?:be )?(\\w+)(?: (\\w+))?(?:\\[(\\d+)])?( @ [^\\[;]+)?(?: \\[\\[[^;]*]])?;");
    private static final Map<String, Long> BUILTIN = Map.ofEntries(Map.entry("bool", 1L), Map.entry("char", 1L),
            Map.entry("char16", 2L), Map.entry("float", 4L), Map.entry("double", 8L), Map.entry("padding", 1L),
            Map.entry("s8", 1L), Map.entry("s16", 2L), Map.entry("s32", 4L), Map.entry("s64", 8L),
            Map.entry("u8", 1L), Map.entry("u16", 2L), Map.entry("u32", 4L), Map.entry("u64", 8L));

    private final Map<String, Long> sizes = new HashMap<>(BUILTIN);
    private final Map<String, Map<String, Long>> offsets = new HashMap<>();
    private final Map<String, String> places = new LinkedHashMap<>();

    /// Reads a pattern, which must be valid.
    HexpatLayout(String pattern) {
        String text = pattern.replaceAll("/\\*.*?\\*/", "");
        assertThat(count(text, '{')).as("braces").isEqualTo(count(text, '}'));
        assertThat(count(text, '(')).as("parentheses").isEqualTo(count(text, ')'));
        Matcher alias = ALIAS.matcher(text);
        while (alias.find()) {
            sizes.put(alias.group(1), size(alias.group(2)));
        }
        Matcher type = TYPE.matcher(text);
        while (type.find()) {
            assertThat(sizes).doesNotContainKey(type.group(2));
            sizes.put(type.group(2), type.group(1).equals("enum")
                    ? size(type.group(3))
                    : fields(type.group(2), type.group(4), type.group(1).equals("union")));
        }
        TYPE.matcher(text).replaceAll("").lines().filter(line -> line.contains(" @ ")).forEach(line -> {
            Matcher variable = VARIABLE.matcher(line);
            assertThat(variable.lookingAt()).as(line).isTrue();
            String length = variable.group(3) == null ? "1" : variable.group(3);
            places.put(String.valueOf(variable.group(2)), variable.group(1) + "[" + length + "]" + variable.group(4));
        });
    }

    /// The size of a type.
    long size(String type) {
        assertThat(sizes).containsKey(type);
        return sizes.getOrDefault(type, 0L);
    }

    /// The offsets of the members of a struct.
    Map<String, Long> offsets(String struct) {
        return offsets.getOrDefault(struct, Map.of());
    }

    /// The variables that the pattern places in the file, as `Trade[10] @ 0x20`.
    Map<String, String> places() {
        return places;
    }

    private long fields(String name, String body, boolean isUnion) {
        Map<String, Long> members = new LinkedHashMap<>();
        offsets.put(name, members);
        long at = 0;
        // The size of the previous branch, since another branch may follow.
        long branch = -1;
        boolean isBranch = false;
        for (String line : body.lines().map(String::strip).toList()) {
            if (line.startsWith("if (") || line.startsWith("else")) {
                branch = line.startsWith("if (") ? -1 : branch;
                isBranch = true;
                continue;
            }
            Matcher variable = VARIABLE.matcher(line);
            assertThat(variable.matches()).as(line).isTrue();
            if (variable.group(4) != null) {
                continue;
            }
            long size = size(variable.group(1)) * (variable.group(3) == null ? 1 : Long.parseLong(variable.group(3)));
            if (isBranch && branch >= 0) {
                assertThat(size).as("branches of %s", name).isEqualTo(branch);
                isBranch = false;
                continue;
            }
            branch = isBranch ? size : -1;
            isBranch = false;
            if (variable.group(2) != null) {
                members.put(variable.group(2), isUnion ? 0 : at);
            }
            at = isUnion ? Math.max(at, size) : at + size;
        }
        return at;
    }

    private static long count(String text, char c) {
        return text.chars().filter(other -> other == c).count();
    }
}
