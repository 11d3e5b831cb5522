package dev.arenakit.tool.console;

import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutputTest {
    @Test
    void flush_afterAFailureThatWasSwallowed_failsAgain() throws IOException {
        Output failing = new Output(ToolRun.failingStream("No space left on device"), false);
        failing.write('a');
        assertThatThrownBy(failing::flush).isInstanceOf(Output.Failure.class).hasMessage("No space left on device");
        assertThatThrownBy(failing::flush).isInstanceOf(Output.Failure.class);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            TERM,           xterm, true,  false
            TERM,           dumb,  false, false
            NO_COLOR,       1,     false, false
            NO_COLOR,       '',    true,  false
            CLICOLOR,       0,     false, false
            CLICOLOR,       1,     true,  false
            CLICOLOR_FORCE, 1,     true,  true
            CLICOLOR_FORCE, 0,     true,  false
            CLICOLOR_FORCE, '',    true,  false
            """)
    void isStyled_variable_switchesColours(String name, String value, boolean onTerminal, boolean inFile) {
        assertThat(Terminal.isStyled(Map.of(name, value), true)).isEqualTo(onTerminal);
        assertThat(Terminal.isStyled(Map.of(name, value), false)).isEqualTo(inFile);
    }
}
