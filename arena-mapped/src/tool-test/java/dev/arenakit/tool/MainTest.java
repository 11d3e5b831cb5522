package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MainTest {
    @Test
    void arena_help_namesTheCommandsAndExitCodes() {
        ToolRun run = ToolRun.of("--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("Usage: arena", "ls ", "show ", "hexdump ", "du ", "verify ", "seal ", "repair ", "copy ",
                        "diff ", "watch ",
                        "purge ",
                        "generate-completion ",
                        "wrong command line")
                .doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ls", "show", "hexdump", "du", "verify", "seal", "repair", "copy", "export", "import", "diff",
                    "watch", "purge",
                    "generate-completion"})
    void arena_helpOfACommand_fitsATerminal(String command) {
        ToolRun run = ToolRun.of(command, "--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Usage: arena " + command);
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void arena_generateCompletion_isAScriptOfBash(@TempDir Path directory) throws IOException, InterruptedException {
        ToolRun run = ToolRun.of("generate-completion");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("ls", "show", "--json", "--annotate", "verify");
        Path script = Files.writeString(directory.resolve("completion"), run.out());
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
        // Bash does the same when the user types `arena hex` and the tabulator key.
        Process bash = new ProcessBuilder("/bin/bash", "-c",
                "source '" + script + "' && COMP_WORDS=(arena hex) COMP_CWORD=1"
                        + " && complete -p arena >/dev/null && _complete_arena && echo \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), UTF_8)).isEqualTo("hexdump\n");
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void arena_helpAndACommand_isTheHelpOfTheCommand() {
        assertThat(ToolRun.of("help", "ls").out()).isEqualTo(ToolRun.of("ls", "--help").out());
        assertThat(ToolRun.of("help").out()).isEqualTo(ToolRun.of("--help").out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"shwo | show", "lss | ls", "verfy | verify", "SHOW | show",
            "generate-completoin | generate-completion"})
    void arena_commandWithAMistake_suggestsTheCommand(String typed, String meant) {
        ToolRun run = ToolRun.of(typed, "x");
        assertThat(run.err())
                .isEqualTo("arena: no command " + typed + " (did you mean " + meant + "?); see arena --help\n");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    @Test
    void arena_version_isOneLine() {
        ToolRun run = ToolRun.of("--version");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).hasLineCount(1).startsWith("arena ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "frobnicate", "--frobnicate"})
    void arena_noCommandOrAnUnknownOne_isBadUsageInOneLine(String argument) {
        ToolRun run = argument.isEmpty() ? ToolRun.of() : ToolRun.of(argument);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).startsWith("arena: ").contains("see arena --help");
    }
}
