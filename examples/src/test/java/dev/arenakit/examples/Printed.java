package dev.arenakit.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Where an example prints to, so that a test can compare it.
public final class Printed {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// {@return where the example prints to}
    public PrintStream stream() {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /// What was printed, with the line ends of Unix.
    @Override
    public String toString() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
