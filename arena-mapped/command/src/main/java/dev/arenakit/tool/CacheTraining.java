package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress;
import dev.arenakit.tool.console.Streams;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/// Runs the commands on a small image, while the JVM records which classes and methods they use. From this record the
/// JVM makes an AOT cache ([JEP 483](https://openjdk.org/jeps/483), [JEP 515](https://openjdk.org/jeps/515)).
final class CacheTraining {
    private static final int ROUNDS = 3;
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Trade { int64_t id; double price; char symbol[8]; };
            """);

    private static final List<String> COMMANDS = List.of("ls DIR", "ls --json BASE", "ls BASE", "show BASE",
            "show --json BASE trades", "hexdump BASE-0", "hexdump --in BASE trades --annotate", "verify BASE",
            "diff BASE BASE", "find BASE trades --where id==1", "export --arrow BASE trades",
            "--help", "lss", "sql BASE SQL");
    private static final String QUERY = "select symbol, sum(price) from trades group by symbol";

    private CacheTraining() {}

    /// Writes an image and runs the commands on it. The caller removes the image.
    ///
    /// @param args an existing directory
    public static void main(String[] args) {
        Path base = Path.of(args[0], "image");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TYPE, 1000);
            trades.set(ValueLayout.JAVA_LONG, 0, 1);
            arena.names().allocate("numbers", ValueLayout.JAVA_DOUBLE, 1000).fill((byte) 1);
        }
        // Repeated runs make the profiles that the cache contains more useful.
        for (int i = 0; i < ROUNDS; i++) {
            for (String line : COMMANDS) {
                Main.run(nowhere(), Arrays.stream(line.split(" "))
                        .map(word -> word.replace("DIR", args[0])
                                .replace("BASE", base.toString())
                                .replace("SQL", QUERY))
                        .toArray(String[]::new));
            }
        }
    }

    private static Streams nowhere() {
        PrintStream err = new PrintStream(OutputStream.nullOutputStream());
        return new Streams(InputStream.nullInputStream(), new Output(OutputStream.nullOutputStream(), false), err,
                Ansi.OFF, false, false, new Progress(err, false));
    }
}
