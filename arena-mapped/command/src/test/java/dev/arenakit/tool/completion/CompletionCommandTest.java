package dev.arenakit.tool.completion;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs the script in bash, as the shell does when the user types a tabulator.
class CompletionCommandTest {
    private static final Path BASH = Path.of("/bin/bash");

    private final Path directory;
    private final Path script;

    CompletionCommandTest(@TempDir(factory = SharedMemory.class) Path directory, @TempDir Path scripts) {
        this.directory = directory;
        script = scripts.resolve("completion");
    }

    @BeforeEach
    void makeScript() throws IOException {
        assumeTrue(Files.isExecutable(BASH), "needs bash");
        ToolRun run = ToolRun.of("generate-completion");
        assertThat(run.exitCode()).isZero();
        Files.writeString(script, run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            arena hex                  | hexdump
            arena show --an            | ''
            arena hexdump --an         | --annotate
            arena show p               | prices;prices-old
            arena show prices-         | prices-old
            arena show other           | 'other image'
            arena show other\\          | 'other image'
            arena show "other          | 'other image'
            arena ls pri               | prices;prices-old
            arena ls d                 | data-only;directory
            arena show directory/      | directory/a=b;directory/at:10;directory/inner
            arena hexdump --in pri     | prices;prices-old
            arena hexdump --in=pri     | prices;prices-old
            arena hexdump --in=        | data-only;directory;other image;prices;prices-old
            arena show directory/at:1  | 10
            arena show directory/at:   | 10
            arena show directory/a=b/c | b/c
            arena hexdump --in=directory/at:1 | 10
            arena repair --to pri      | prices;prices-old
            arena diff prices pri      | prices;prices-old
            arena verify prices oth    | 'other image'
            arena show --limit 3 oth   | 'other image'
            arena serve prices oth     | 'other image'
            arena show --limit         | --limit
            arena nothing p            | purge
            arena help rep             | repair
            arena copy prices note     | notes.txt
            """)
    void script_basesAndOptions_areCompletedWithoutJava(String line, String expected) throws Exception {
        for (String file : List.of("prices-0", "prices-1", "prices.catalog", "prices-old.catalog", "prices-x",
                "other image-0", "data-only-0", "notes.txt")) {
            Files.createFile(directory.resolve(file));
        }
        Files.createDirectory(directory.resolve("directory"));
        for (String file : List.of("inner.catalog", "at:10.catalog", "a=b/c.catalog")) {
            Path path = directory.resolve("directory").resolve(file);
            Files.createDirectories(path.getParent());
            Files.createFile(path);
        }
        // No command `arena` exists here.
        assertThat(complete("", line)).isEqualTo(expected);
    }

    /// A name is data of the image. Completed behind an open quote, it could end the quote and run a command.
    @ParameterizedTest
    @ValueSource(strings = {"arena show image x", "arena show image 'x", "arena show image \"x", "arena show image "})
    void script_names_areNotCompleted(String line) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("image"))) {
            arena.allocate("x'; touch PWNED; #", JAVA_LONG, 1);
        }
        assertThat(complete("arena() { echo called; }; ", line)).isEmpty();
    }

    /// Completes the last word of a line. The line is divided into words as by bash.
    ///
    /// @param prefix commands that run before
    /// @return the completions in their order, with `;` between them
    private String complete(String prefix, String line) throws Exception {
        StringBuilder array = new StringBuilder();
        for (String word : words(line)) {
            array.append(" '").append(word.replace("'", "'\\''")).append('\'');
        }
        // The builtin compopt works only while the user types.
        String code = prefix + "compopt() { :; }; source '" + script + "'; COMP_LINE='" + line.replace("'", "'\\''")
                + "'; COMP_WORDS=(" + array
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); complete -p arena >/dev/null || exit 1; _arena arena;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\" | sort";
        Process bash = new ProcessBuilder(BASH.toString(), "-c", code).directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return String.join(";", out.strip().lines().toList());
    }

    /// Splits a line as bash does, at spaces, colons and equal signs.
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == ' ' && quote == 0 && line.charAt(i - 1) != '\\') {
                words.add(word.toString());
                word.setLength(0);
            } else {
                boolean isBreak = (c == ':' || c == '=') && quote == 0;
                if (i > 0 && !word.isEmpty() && isBreak != ":=".contains(word.substring(word.length() - 1))) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                quote = c == '"' || c == '\'' ? c : quote;
                word.append(c);
            }
        }
        words.add(word.toString());
        return words;
    }
}
