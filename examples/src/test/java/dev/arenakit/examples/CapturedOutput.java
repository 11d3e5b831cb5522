package dev.arenakit.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The output of an example, which a test compares.
public final class CapturedOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// {@return the stream that the example prints to}
    public PrintStream stream() {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /// {@return the text that the example has printed, with Unix line ends}
    @Override
    public String toString() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
