package dev.arenakit.tool;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Progress;
import dev.arenakit.tool.console.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/// Runs the commands on a small image, while the JVM records which classes and methods they use. From this record the
/// JVM makes an AOT cache ([JEP 483](https://openjdk.org/jeps/483), [JEP 515](https://openjdk.org/jeps/515)).
final class CacheTraining {
    private static final int ROUNDS = 3;
    private static final int TERMINAL_WIDTH = 80;
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Trade { int64_t id; double price; char symbol[8]; };
            """);

    private CacheTraining() {}

    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("arena");
        try {
            Path base = directory.resolve("image");
            try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
                MemorySegment trades = arena.allocate("trades", TYPE, 1000);
                trades.set(ValueLayout.JAVA_LONG, 0, 1);
                arena.allocate("numbers", ValueLayout.JAVA_DOUBLE, 1000).fill((byte) 1);
            }
            // Repeated runs make the profiles that the cache contains more useful.
            for (int i = 0; i < ROUNDS; i++) {
                commands(base.toString()).forEach(line -> Main.run(nowhere(), line.split(" ")));
            }
        } finally {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static List<String> commands(String base) {
        return List.of("ls " + Path.of(base).getParent(), "ls --json " + base, "ls " + base, "show " + base,
                "show --json " + base + " trades",
                "hexdump " + base + "-0", "hexdump --in " + base + " trades --annotate", "du " + base,
                "verify " + base, "diff " + base + " " + base,
                "find " + base + " trades --where id==1", "export --json " + base, "--help", "lss");
    }

    private static Streams nowhere() {
        PrintStream err = new PrintStream(OutputStream.nullOutputStream());
        return new Streams(InputStream.nullInputStream(), new Output(OutputStream.nullOutputStream(), false, () -> {}),
                err, Ansi.OFF, () -> TERMINAL_WIDTH, Progress.none(err));
    }
}
