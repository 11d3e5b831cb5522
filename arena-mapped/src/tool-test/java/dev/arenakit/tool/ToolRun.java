package dev.arenakit.tool;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import picocli.CommandLine.Help.Ansi;

import static java.nio.charset.StandardCharsets.UTF_8;

/// One run of the command in this JVM.
///
/// @param exitCode what a shell would see
/// @param out      what went to standard output
/// @param err      what went to standard error
record ToolRun(int exitCode, String out, String err) {
    private static final int WIDTH = 80;
    private static final int HEIGHT = 12;

    static ToolRun of(String... args) {
        return withInput(new byte[0], args);
    }

    static ToolRun withInput(byte[] in, String... args) {
        return run(in, Ansi.OFF, args);
    }

    static ToolRun onTerminal(String... args) {
        return run(new byte[0], Ansi.ON, args);
    }

    /// On a terminal on which lines are entered, and text can be printed over.
    static ToolRun onScreen(String in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = run(in.getBytes(UTF_8), new Output(out, false, () -> {}), Ansi.OFF,
                new Screen(true, true, () -> HEIGHT), args);
        return new ToolRun(run.exitCode, out.toString(UTF_8), run.err);
    }

    /// The result has no standard output.
    static ToolRun withOutput(Output target, String... args) {
        return run(new byte[0], target, Ansi.OFF, args);
    }

    private static ToolRun run(byte[] in, Ansi ansi, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = run(in, new Output(out, false, () -> {}), ansi, args);
        return new ToolRun(run.exitCode, out.toString(UTF_8), run.err);
    }

    private static ToolRun run(byte[] in, Output out, Ansi ansi, String... args) {
        return run(in, out, ansi, Screen.NONE, args);
    }

    private static ToolRun run(byte[] in, Output out, Ansi ansi, Screen screen, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Streams streams = new Streams(new ByteArrayInputStream(in), out, new PrintStream(err, true, UTF_8), ansi,
                () -> WIDTH, Progress.none(System.err), screen);
        return new ToolRun(Main.run(streams, args), "", err.toString(UTF_8));
    }
}
