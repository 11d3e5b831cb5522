package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Runs the transcripts of `docs/command.md`, one after the other: the lines of `arena` in this JVM, and others in a
/// shell.
class CommandPageTest extends InSharedMemory {
    private static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            struct Trade { int64_t id; int32_t quantity; double price; char symbol[8]; };
            """);
    /// An argument of a command, with or without quotes.
    private static final Pattern ARGUMENT = Pattern.compile("'[^']*'|\\S+");
    private static final Pattern FILE = Pattern.compile("(?:my-mapped-memory|edited)\\S*");

    @Test
    void transcripts_areWhatTheCommandsPrint() throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("my-mapped-memory"))) {
            MemorySegment trade = arena.names().allocate("trades", TRADE, 1L << 30).asSlice(7 * TRADE.byteSize());
            trade.set(JAVA_LONG, 0, 42);
            trade.set(JAVA_INT, 8, 3);
            trade.set(JAVA_DOUBLE, 16, 9.5);
            trade.setString(24, "ARNA");
        }
        String page = transcripts(Files.readString(Path.of("../../docs/command.md")));
        StringBuilder printed = new StringBuilder();
        for (String line : page.lines().filter(line -> line.startsWith("$ ")).toList()) {
            printed.append(line + "\n" + run(line.substring(2)));
        }
        assertThat(withoutWhatVaries(printed.toString().replace(directory + "/", "")))
                .isEqualTo(withoutWhatVaries(page));
    }

    /// The blocks of code that have no language.
    private static String transcripts(String page) {
        String[] parts = page.split("```", -1);
        return IntStream.range(0, parts.length)
                .filter(i -> i % 2 == 1 && parts[i].startsWith("\n"))
                .mapToObj(i -> parts[i].substring(1))
                .collect(Collectors.joining());
    }

    private String run(String line) throws IOException, InterruptedException {
        if (!line.startsWith("arena ")) {
            Process shell = new ProcessBuilder("/bin/sh", "-c", line).directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            return new String(shell.getInputStream().readAllBytes(), UTF_8);
        }
        String typed = line.equals("arena ls") ? line + " " + directory : line;
        ToolRun run = ToolRun.of(ARGUMENT.matcher(typed)
                .results()
                .skip(1)
                .map(argument -> argument.group().replace("'", ""))
                .map(argument -> FILE.matcher(argument).matches() ? directory.resolve(argument).toString() : argument)
                .toArray(String[]::new));
        return run.out() + run.err();
    }

    /// Removes times, processes, the JVM, spaces, and sizes on disk, which file systems count differently.
    private static String withoutWhatVaries(String printed) {
        return printed.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME")
                .replaceAll("(process )?\\d+, (started )?TIME", "PROCESS")
                .replaceAll("TIME +\\d+", "TIME THREAD")
                .replaceAll("(?m)^jvm: .*", "jvm: JVM")
                .replaceAll("[\\d.]+ [KM]iB(?= on disk|  (?:live|closed))", "N")
                .replaceAll("unchanged for \\d+ s", "unchanged for N s")
                .replaceAll(" +", " ");
    }
}
