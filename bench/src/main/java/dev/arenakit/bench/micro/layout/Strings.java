package dev.arenakit.bench.micro.layout;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Measures the cost of a string for native code: open an arena, encode the string into it as UTF-8 with a terminating
/// zero, read one byte back, close.
///
/// The JDK's arenas zero the block before they fill it. Strings that are not ASCII have to be encoded.
@BenchmarkName(value = "strings",
        measures = "Opens an arena, encodes a string into it as UTF-8 with a terminating zero, reads one byte "
                + "back, and closes it.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class Strings extends MicroBenchmark {
    private static final String LATIN = "the quick brown fox ";
    private static final String GREEK = "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9\u03ba";

    /// Number and kind of the characters.
    @Param({"20 ASCII", "200 ASCII", "20 non-ASCII"})
    public String characters = "";

    private String text = "";

    /// Creates the string.
    @Setup
    public void make() {
        text = switch (characters) {
            case "20 ASCII" -> LATIN;
            case "200 ASCII" -> LATIN.repeat(10);
            case "20 non-ASCII" -> GREEK.repeat(2);
            default -> throw new IllegalArgumentException("No such string: characters=" + characters);
        };
    }

    /// An arena.
    @Benchmark
    public long arena(Candidate candidate) {
        try (Arena arena = candidate.open()) {
            return arena.allocateFrom(text).get(JAVA_BYTE, 0);
        }
    }

}
