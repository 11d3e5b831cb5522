package dev.arenakit.examples.words;

import dev.arenakit.examples.ArenaCommand;
import dev.arenakit.examples.CannotShowException;
import dev.arenakit.examples.DoomedProcess;
import dev.arenakit.examples.TemporaryDirectory;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Counts the words of the JDK's sources into an image, by a process that is killed in the middle. Looks at the image,
/// continues, and compares the result with an uninterrupted run.
public final class StoredWordsExample {
    private static final String BASE = "sources";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path directory;
    private final Path zip;
    private final String beginning;
    private final Path duckDb;

    /// @param arenaJar  the `arena` command
    /// @param directory directory of the images
    /// @param zip       the zip file
    /// @param beginning the beginning of the names of the files whose words are counted
    /// @param duckDb    the library of DuckDB, or a jar that contains it
    StoredWordsExample(PrintStream out, Path arenaJar, Path directory, Path zip, String beginning, Path duckDb) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.directory = directory;
        this.zip = zip;
        this.beginning = beginning;
        this.duckDb = duckDb;
    }

    /// Runs the example with all sources of the module java.base.
    ///
    /// @param args path of arena.jar, the directory in which a directory for the images is created, and the library of
    ///             DuckDB or a jar that contains it
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        Path zip = Path.of(System.getProperty("java.home"), "lib", "src.zip");
        try (TemporaryDirectory created = TemporaryDirectory.in(Path.of(args[1]), "arenakit-words-")) {
            new StoredWordsExample(System.out, Path.of(args[0]), created.path(), zip, "java.base/", Path.of(args[2]))
                    .run();
        } catch (CannotShowException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    void run() throws CannotShowException, IOException, InterruptedException {
        List<String> files = StoredWords.files(zip, beginning);
        Path base = directory.resolve(BASE);
        try (DoomedProcess writer = DoomedProcess.start(WordWriter.class, base.toString(), zip.toString(),
                beginning)) {
            writer.killAt(files.size() / 2);
        }
        out.printf(Locale.ROOT, "A process counts the words of %,d files, and is killed in the middle.%n%n",
                files.size());
        ArenaCommand arena = new ArenaCommand(arenaJar, out,
                Map.of("ARENAKIT_DUCKDB", duckDb.toAbsolutePath().toString()));
        arena.run(directory, "ls", BASE);
        arena.run(directory, "verify", BASE);
        arena.run(directory, "show", BASE, "words", "--limit", "3");
        arena.run(directory, "sql", BASE, "select key, value.count from words order by 2 desc limit 5");
        Map<String, Long> continued = complete(base, files);
        if (!continued.equals(complete(directory.resolve("uninterrupted"), files))) {
            throw new CannotShowException("The counts differ from an uninterrupted run");
        }
        out.printf(Locale.ROOT, "Another process continues. It finds %,d words, as often as an uninterrupted run.%n",
                continued.size());
    }

    private Map<String, Long> complete(Path base, List<String> files) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            StoredWords words = new StoredWords(arena);
            words.count(zip, files, _ -> {});
            return words.counts();
        }
    }
}
