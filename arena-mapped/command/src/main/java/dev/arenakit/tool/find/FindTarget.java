package dev.arenakit.tool.find;

import dev.arenakit.tool.where.Where;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/// The options that say what to find. The command line has exactly one of them.
final class FindTarget {
    // The options are fields: the order of methods, and so the order of options in picocli's messages, differs from run
    // to run.
    @Option(names = "--where", order = 1, paramLabel = "PREDICATE", converter = Where.Option.class,
            description = "find the structs that satisfy a predicate on their fields, as described below")
    private Optional<Where> where = Optional.empty();

    @Option(names = "--bytes", order = 2, paramLabel = "HEX",
            description = "find bytes; ? is any digit: '7f 45 ?? 4?'")
    private Optional<String> bytes = Optional.empty();

    @Option(names = "--text", order = 3, paramLabel = "TEXT", description = "find a text in UTF-8")
    private Optional<String> text = Optional.empty();

    @Option(names = "--text16", order = 4, paramLabel = "TEXT", description = "find a text in UTF-16")
    private Optional<String> text16 = Optional.empty();

    @Option(names = "--value", order = 5, paramLabel = "TYPE=VALUE",
            description = "find a number of type int8, uint8, int16, uint16, int32, uint32, int64, uint64, float or"
                    + " double: int32=1000")
    private Optional<String> value = Optional.empty();

    Optional<Where> where() {
        return where;
    }

    /// Makes the pattern of bytes.
    ///
    /// @param order the byte order of numbers and of UTF-16
    /// @throws IllegalArgumentException with a message for the user, which begins with the option
    BytePattern pattern(ByteOrder order) {
        if (bytes.isPresent()) {
            return named("--bytes", () -> BytePattern.parse(bytes.get()));
        }
        if (text.isPresent()) {
            return named("--text", () -> BytePattern.of(text.get().getBytes(StandardCharsets.UTF_8)));
        }
        if (text16.isPresent()) {
            Charset charset = order == ByteOrder.BIG_ENDIAN ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            return named("--text16", () -> BytePattern.of(text16.get().getBytes(charset)));
        }
        return named("--value", () -> BytePattern.of(FindValue.bytes(value.orElseThrow(), order)));
    }

    private static BytePattern named(String option, Supplier<BytePattern> pattern) {
        try {
            return pattern.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid value for option '" + option + "': " + e.getMessage(), e);
        }
    }
}
