package dev.arenakit.tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MainTest {
    @Test
    void arena_help_namesTheCommandsAndExitCodes() {
        ToolRun run = ToolRun.of("--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Usage: arena", "ls ", "hexdump ", "bad usage").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "hexdump"})
    void arena_helpOfACommand_fitsATerminal(String command) {
        ToolRun run = ToolRun.of(command, "--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Usage: arena " + command);
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
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
