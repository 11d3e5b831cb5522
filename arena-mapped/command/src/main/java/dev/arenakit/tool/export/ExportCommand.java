package dev.arenakit.tool.export;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.AllocationSequence;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.RequestedAllocations;
import dev.arenakit.tool.page.PageWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena export`.
@Command(name = "export", sortOptions = false,
        description = {"Writes an image, or allocations of it, in a form for other programs.",
                "Bytes that the image has lost are reported, and the rest is written. If a NAME does not exist,"
                        + " nothing is written."},
        footer = {"",
                "arena show --json prints structs as JSON, and arena sql writes Parquet:",
                "  arena sql prices \"copy trades to 'trades.parquet'\"",
                "",
                "A pattern describes one data file, with all members of unions and all elements of arrays. If the image"
                        + " has several files, name allocations of one file.",
                "", "Examples:",
                "  arena export prices --c-header -o prices.h        the types as C declarations",
                "  arena export prices trades --hexpat               a pattern for ImHex",
                "  arena export prices trades --csv -o trades.csv",
                "  arena export prices trades --arrow -o trades.arrow",
                "  arena export prices '#7' --bytes -o seven         holes remain holes",
                "  arena export prices --html -o prices.html         a page with everything"})
public final class ExportCommand implements Callable<Integer> {
    /// The number of zeros that are written at once.
    private static final int ZEROS = 1 << 16;

    @ArgGroup(exclusive = true, multiplicity = "1", heading = "%nForms, of which one is required:%n")
    @SuppressWarnings("NullAway.Init") // Injected.
    private Options options;

    @Option(names = {"-o", "--output"}, paramLabel = "FILE",
            description = "write a new file, which only its owner may read, instead of standard output")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--force", description = "replace FILE if it exists")
    private boolean force;

    @Option(names = "--runs",
            description = "with --csv, write each run of structs of zeros as a row, whose index is FIRST..LAST")
    private boolean runs;

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name, as #7 or 'trade*'; default: all live ones")
    private List<String> names = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        if (runs && !options.csv) {
            throw frame.usageError("Option '--runs' needs '--csv'");
        }
        return frame.run(base, () -> ExitCodes.of(export()));
    }

    private boolean export() throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            RequestedAllocations requested = new RequestedAllocations(frame.streams(), image, base);
            List<Allocation> allocations = requested.find(names);
            if (requested.hasFailed()) {
                return false;
            }
            return output.isPresent() ? toFile(image, allocations, output.get()) : toStandard(image, allocations);
        }
    }

    private boolean toStandard(ArenaImage image, List<Allocation> allocations) throws IOException {
        return write(image, allocations, frame.streams(), byteSize -> {
            byte[] zeros = new byte[(int) Math.min(ZEROS, byteSize)];
            for (long left = byteSize; left > 0; left -= ZEROS) {
                frame.streams().out().write(zeros, 0, (int) Math.min(ZEROS, left));
            }
        });
    }

    private boolean toFile(ArenaImage image, List<Allocation> allocations, Path path) throws IOException {
        if (ImageFileSet.isNamedLikeAFileOf(image.base(), path)) {
            frame.report(path + ": a file of the image could have this name; choose another");
            return false;
        }
        try (ExportFileTarget target = ExportFileTarget.create(path, force)) {
            boolean isComplete = write(image, allocations, frame.streams().withOutput(target.output()), target::zeros);
            target.finish();
            return isComplete;
        } catch (Output.Failure e) {
            frame.streams().report(path.toString(), e.cause());
            return false;
        }
    }

    private boolean write(ArenaImage image, List<Allocation> named, Streams to, ExportRequest.Zeros zeros)
            throws IOException {
        return options.form(runs)
                .write(new ExportRequest(frame, to, image, new AllocationSequence(image), named, zeros));
    }

    /// The options that choose the form of an export. The command line has exactly one of them.
    private static final class Options {
        // The options are fields: the order of methods, and so the order of options in picocli's messages, differs from
        // run to run.
        @Option(names = "--c-header", order = 1,
                description = "a C header with the types, and a comment for each allocation")
        private boolean cHeader;

        @Option(names = "--hexpat", order = 2, description = "an ImHex pattern for a data file")
        private boolean hexpat;

        @Option(names = "--csv", order = 3, description = "the structs of one allocation as a table, with a header")
        boolean csv;

        @Option(names = "--arrow", order = 4, description = "the structs of one allocation as an Apache Arrow file")
        private boolean arrow;

        @Option(names = "--bytes", order = 5, description = "the bytes of one allocation")
        private boolean bytes;

        @Option(names = "--html", order = 6, description = "a page that shows the whole image in a browser")
        private boolean html;

        /// The form that the user has chosen.
        ///
        /// @param hasRuns whether runs of zeros are rows of a table
        ExportForm form(boolean hasRuns) {
            if (cHeader) {
                return new CHeaderExport();
            }
            if (hexpat) {
                return new HexpatExport();
            }
            if (csv) {
                return new CsvExport(hasRuns);
            }
            if (arrow) {
                return new ArrowOutput();
            }
            if (bytes) {
                return new BytesExport();
            }
            if (html) {
                return Options::writePage;
            }
            throw new AssertionError("picocli requires one option of the group");
        }

        private static boolean writePage(ExportRequest export) throws IOException {
            if (!export.named().isEmpty()) {
                throw export.frame().usageError("--html shows a whole image: leave out names");
            }
            new PageWriter(export.streams(), export.image(), PageWriter.CONTENTS).write(export.streams().out());
            return true;
        }
    }
}
