package dev.arenakit.tool;

import dev.arenakit.tool.console.Output;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MainTest extends InSharedMemory {
    @Test
    void arena_help_namesTheCommandsAndExitCodes() {
        assertThat(ToolRun.of("--help").succeeds().out())
                .contains("Usage: arena", "ls ", "show ", "hexdump ", "verify ", "seal ", "repair ", "copy ",
                        "diff ", "sql ", "serve ",
                        "purge ", "types ",
                        "generate-completion ",
                        "wrong command line")
                .doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ls", "show", "hexdump", "verify", "seal", "repair", "copy", "export", "import", "diff",
                    "sql", "serve", "purge", "types",
                    "generate-completion"})
    void arena_helpOfACommand_fitsATerminal(String command) {
        ToolRun run = ToolRun.of(command, "--help").exits(0);
        assertThat(run.out()).startsWith("Usage: arena " + command);
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
        // picocli breaks longer lines. In columns and examples, it continues them at the left.
        assertThat(run.out()
                .substring(run.out().lastIndexOf("Options:\n"))
                .lines()
                .dropWhile(line -> !line.equals("Columns:") && !line.equals("Examples:"))
                .filter(line -> !line.isEmpty() && !line.endsWith(":")))
                .allMatch(line -> line.startsWith("  "));
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
        assertThat(ToolRun.of(typed, "x").exits(2).err())
                .isEqualTo("arena: no command " + typed + " (did you mean " + meant + "?); see arena --help\n");
    }

    @Test
    void arena_helpOfACommandWithAMistake_suggestsTheCommand() {
        assertThat(ToolRun.of("help", "fnd").exits(2).err())
                .isEqualTo("arena: no command fnd (did you mean find?); see arena --help\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "frobnicate", "--frobnicate"})
    void arena_noCommandOrAnUnknownOne_isBadUsageInOneLine(String argument) {
        ToolRun run = (argument.isEmpty() ? ToolRun.of() : ToolRun.of(argument)).exits(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).startsWith("arena: ").contains("see arena --help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls --json BASE", "verify --json BASE", "show BASE --json", "show BASE --limit=5",
            "show BASE trades --where=id!=0", "find BASE trades --where=id!=0", "hexdump BASE-0"})
    void arena_closedPipe_isSilent(String line) {
        TestImage.closed(base);
        Output closed = new Output(ToolRun.failingStream("Broken pipe"), true);
        ToolRun.withOutput(closed, line.replace("BASE", base.toString()).split(" ")).succeeds();
    }
}
