package dev.arenakit.tool;

import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress;
import dev.arenakit.tool.console.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import picocli.CommandLine.Help.Ansi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// The result of a run of the command in this JVM.
///
/// @param exitCode the exit code
/// @param out      the text on standard output
/// @param err      the text on standard error
public record ToolRun(int exitCode, String out, String err) {

    /// Checks the exit code.
    public ToolRun exits(int expected) {
        assertThat(exitCode).as("out=%s, err=%s", out, err).isEqualTo(expected);
        return this;
    }

    /// Checks that the exit code is zero, and that no message was written.
    public ToolRun succeeds() {
        assertThat(err).isEmpty();
        return exits(0);
    }

    public static ToolRun of(String... args) {
        return withInput(new byte[0], args);
    }

    public static ToolRun withInput(byte[] in, String... args) {
        return run(in, Ansi.OFF, args);
    }

    public static ToolRun onTerminal(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = run(new byte[0], new Output(out, false), Ansi.ON,
                true, args);
        return new ToolRun(run.exitCode, out.toString(UTF_8), run.err);
    }

    /// Runs the command. Other threads can read its standard output meanwhile.
    public static ToolRun into(ByteArrayOutputStream out, String... args) {
        ToolRun run = withOutput(new Output(out, false), args);
        return new ToolRun(run.exitCode, out.toString(UTF_8), run.err);
    }

    /// Runs the command with another output. The result has no standard output.
    public static ToolRun withOutput(Output target, String... args) {
        return run(new byte[0], target, Ansi.OFF, args);
    }

    private static ToolRun run(byte[] in, Ansi ansi, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = run(in, new Output(out, false), ansi, args);
        return new ToolRun(run.exitCode, out.toString(UTF_8), run.err);
    }

    private static ToolRun run(byte[] in, Output out, Ansi ansi, String... args) {
        return run(in, out, ansi, false, args);
    }

    private static ToolRun run(byte[] in, Output out, Ansi ansi, boolean isTerminal, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(err, true, UTF_8);
        Streams streams = new Streams(new ByteArrayInputStream(in), out, printed, ansi, isTerminal, false,
                new Progress(printed, false));
        return new ToolRun(Main.run(streams, args), "", err.toString(UTF_8));
    }

    /// Makes streams that are no terminals.
    public static Streams streams(OutputStream out, OutputStream err) {
        PrintStream printed = new PrintStream(err, true, UTF_8);
        return new Streams(InputStream.nullInputStream(), new Output(out, false), printed, Ansi.OFF, false, false,
                new Progress(printed, false));
    }

    /// Makes a stream that fails on every write.
    ///
    /// @param message the message of its exceptions
    public static OutputStream failingStream(String message) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(message);
            }
        };
    }
}
