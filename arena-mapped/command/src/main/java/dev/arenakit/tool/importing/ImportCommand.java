package dev.arenakit.tool.importing;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.Counts;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Interruption;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.structs.StructTypeOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import static java.nio.charset.StandardCharsets.UTF_8;

/// `arena import`.
@Command(name = "import", sortOptions = false,
        description = {"Makes a new image of one allocation from objects of JSON, or from a table with a header (CSV).",
                "The input is in the form in which show --json or export --csv print an allocation. An object"
                        + " of JSON may also be the value alone, and the index of a table may be missing. Fields that are"
                        + " missing are zero.",
                "If a line is wrong, no image is made. The first wrong line is printed."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:the image was made", " 1:the input is wrong, or the image could not be made",
                " 2:wrong command line"},
        footer = {"", "Examples:",
                "  arena import copy --type @trade.txt trades trades.csv",
                "  arena show prices trades --json |",
                "    arena import copy --type 'struct { int64_t id; double price; };' trades -"})
public final class ImportCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";
    private static final int BUFFER = 1 << 16;
    /// The largest struct. A struct and its line are held in memory.
    private static final long MAX_STRUCT = 1 << 24;

    /// The rows of the input.
    interface Source {
        /// Imports the next row.
        ///
        /// @return false if there is none
        boolean next() throws IOException;

        /// The line in which the last row begins, from 1.
        long line();
    }

    @Option(names = "--type", paramLabel = "TEXT|@FILE", converter = StructTypeOption.class, required = true,
            description = "the type of the structs, or a file that contains its text")
    private @Nullable StructType type;

    @Option(names = "--unsafe-directory",
            description = "make the image also where other users may replace its files")
    private boolean unsafeDirectory;

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of the new image")
    private Path base = Path.of("");

    @Parameters(index = "1", paramLabel = "NAME", description = "the name of the allocation")
    private String name = "";

    @Parameters(index = "2", paramLabel = "FILE", description = "the input in UTF-8; - is standard input")
    private String file = "";

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        StructType struct = Objects.requireNonNull(type);
        if (struct.byteSize() == 0 || struct.byteSize() > MAX_STRUCT) {
            throw frame.invalidValue("--type", struct.name(), "has a size of " + struct.byteSize()
                    + " bytes: the smallest is 1, and the largest " + MAX_STRUCT);
        }
        if (Files.exists(ImageFiles.catalog(base), LinkOption.NOFOLLOW_LINKS)) {
            frame.report(base + ": the image exists; choose another base, or remove it with arena purge");
            return ExitCodes.PROBLEM;
        }
        String input = file.equals(STANDARD_INPUT) ? "standard input" : file;
        return frame.run(input, () -> {
            try (Interruption interruption = new Interruption();
                    InputStream in = file.equals(STANDARD_INPUT)
                            ? frame.streams().in()
                            : Files.newInputStream(Path.of(file))) {
                return frame.run(base, () -> makeImage(struct, input, in, interruption));
            }
        });
    }

    private int makeImage(StructType struct, String input, InputStream in, Interruption interruption)
            throws IOException {
        try {
            ImportTarget target = target(struct);
            int exitCode;
            try (target) {
                exitCode = frame.run(input, () -> importRows(in, target, interruption));
            }
            if (exitCode == ExitCodes.OK) {
                String imported = Counts.of(target.rows, "struct") + " of "
                        + ByteSizes.format(target.rows * struct.byteSize());
                frame.print(PrintableText.of(base + ": " + name) + ": imported " + imported + "\n");
            }
            return exitCode;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private ImportTarget target(StructType struct) throws IOException {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try {
            return ImportTarget.create(base, unsafeDirectory ? builder.unsafeDirectory() : builder, name, struct);
        } catch (IOException | UncheckedIOException e) {
            IOException cause = ErrorText.cause(e);
            throw cause instanceof FileTrust.UntrustedException
                    ? new IOException(ErrorText.of(cause) + ", or use --unsafe-directory", e)
                    : cause;
        }
    }

    private int importRows(InputStream in, ImportTarget target, Interruption interruption) throws IOException {
        Source source = source(in, target);
        try {
            do {
                interruption.check();
                frame.streams().progress().at("importing", target.rows * target.type.byteSize(), 0);
            } while (source.next());
        } catch (IOException e) {
            throw new IOException("line " + source.line() + ": " + ErrorText.of(e), e);
        }
        target.complete();
        return ExitCodes.OK;
    }

    /// Returns the source for the form of the input, which its first character tells.
    private static Source source(InputStream in, ImportTarget target) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8.newDecoder()), BUFFER);
        int first;
        do {
            reader.mark(1);
            first = reader.read();
            // Some programs write a byte order mark.
        } while (first == '\ufeff' || Character.isWhitespace(first));
        reader.reset();
        return first == '{' || first == '[' ? new JsonImport(reader, target) : new CsvImport(reader, target);
    }
}
