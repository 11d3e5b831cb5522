package dev.arenakit.tool.find;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.Where;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import picocli.CommandLine.Option;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The options that say what to find. The command line has exactly one of them.
final class FindTarget {
    private static final String BYTES = "--bytes";
    private static final String TEXT = "--text";

    // The options are fields: the order of methods, and so the order of options in picocli's messages, differs from run
    // to run.
    @Option(names = "--where", order = 1, paramLabel = "PREDICATE", converter = Where.Option.class,
            description = "find the structs that satisfy a predicate on their fields, as described below")
    private Optional<Where> where = Optional.empty();

    @Option(names = BYTES, order = 2, paramLabel = "HEX", description = "find bytes: '7f 45 4c 46'")
    private Optional<String> bytes = Optional.empty();

    @Option(names = TEXT, order = 3, paramLabel = "TEXT", description = "find a text in UTF-8")
    private Optional<String> text = Optional.empty();

    Optional<Where> where() {
        return where;
    }

    /// The bytes to find, or empty to find structs.
    Optional<byte[]> pattern(CommandFrame frame) {
        String option = bytes.isPresent() ? BYTES : TEXT;
        return bytes.or(() -> text).map(value -> {
            byte[] pattern;
            try {
                pattern = bytes.isPresent()
                        ? HexFormat.of().parseHex(value.replaceAll("\\s", ""))
                        : value.getBytes(UTF_8);
            } catch (IllegalArgumentException e) {
                throw frame.invalidValue(option, PrintableText.shortened(value),
                        "is not hexadecimal: each byte has two digits, such as 0f");
            }
            if (Arrays.equals(pattern, new byte[pattern.length])) {
                throw frame.invalidValue(option, PrintableText.shortened(value),
                        "has no byte other than zero: holes consist of zeros");
            }
            return pattern;
        });
    }
}
