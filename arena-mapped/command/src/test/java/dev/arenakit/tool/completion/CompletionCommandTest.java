package dev.arenakit.tool.completion;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
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
class CompletionCommandTest extends InSharedMemory {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    Path scripts;

    private Path script = Path.of("");

    @BeforeEach
    void makeScript() throws IOException {
        assumeTrue(Files.isExecutable(BASH), "needs bash");
        script = Files.writeString(scripts.resolve("completion"), ToolRun.of("generate-completion").exits(0).out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            arena hex          | hexdump
            arena show --an    | ''
            arena hexdump --an | --annotate
            arena help rep     | repair
            arena copy --to pr | ''
            arena show pr      | ''
            """)
    void script_commandsAndOptions_areCompletedWithoutJava(String line, String expected) throws Exception {
        Files.createFile(directory.resolve("prices-0"));
        // No command `arena` exists here.
        assertThat(complete("", line)).isEqualTo(expected);
    }

    /// The shell itself completes the names of files, and quotes them.
    @ParameterizedTest
    @ValueSource(strings = {"arena show ", "arena show $", "arena diff a ", "arena hexdump --in ", "arena ls x"})
    void script_namesOfFiles_areNotExecuted(String line) throws Exception {
        Files.createFile(directory.resolve("$(touch PWNED)"));
        Files.createFile(directory.resolve("x`touch PWNED`"));
        assertThat(complete("", line)).isEmpty();
        assertThat(directory.resolve("PWNED")).doesNotExist();
    }

    /// A name is data of the image. Completed behind an open quote, it could end the quote and run a command.
    @ParameterizedTest
    @ValueSource(strings = {"arena show image x", "arena show image 'x", "arena show image \"x", "arena show image "})
    void script_names_areNotCompleted(String line) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("image"))) {
            arena.names().allocate("x'; touch PWNED; #", JAVA_LONG, 1);
        }
        assertThat(complete("arena() { echo called; }; ", line)).isEmpty();
    }

    /// Completes the last word of a line.
    ///
    /// @param prefix commands that run before
    /// @return the completions in their order, with `;` between them
    private String complete(String prefix, String line) throws Exception {
        String array = Arrays.stream(line.split(" ", -1))
                .map(word -> " '" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining());
        // The builtin compopt works only while the user types.
        String code = prefix + "compopt() { :; }; source '" + script + "'; COMP_LINE='" + line.replace("'", "'\\''")
                + "'; COMP_WORDS=(" + array
                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); complete -p arena | grep -q -- '-o default' || exit 1; _complete_arena arena;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\" | sort";
        Process bash = new ProcessBuilder(BASH.toString(), "-c", code).directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return String.join(";", out.strip().lines().toList());
    }
}
