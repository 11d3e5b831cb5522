package dev.arenakit.tool;

import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `arena diff`.
@Command(name = "diff", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Tells what differs between two images.",
                "Allocations are matched by name, and those without one by their number, as in #7; freed ones are left out. Where a type"
                        + " is recorded, fields are compared, else bytes. Padding does not count, nor what stands in a text behind its"
                        + " end; of an allocation that has grown or shrunk, the part is compared that both have. Where both images"
                        + " have a hole nothing is read: terabytes of holes take no time."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:no difference", " 1:there are differences", " 2:bad usage",
                " 3:something could not be read"},
        footerHeading = "%nLines:%n",
        footer = {"  - old: Trade[10], 320 B     only the first image has it",
                "  + new: Trade[10], 320 B     only the second",
                "  ! trades: Trade[10], 320 B  both, and they differ:",
                "      [7].price: 9.5 -> 9.75    a field of struct 7",
                "      0x40..0x4f: 16 bytes, 01 02 ... -> 03 04 ...",
                "                                bytes where the type does not tell, by offset",
                "",
                "Examples:",
                "  arena diff /backup/prices /var/prices",
                "  arena diff before after --limit 1000"})
final class DiffCommand implements Callable<Integer> {
    private static final int COULD_NOT_READ = 3;
    private static final long USUAL_LIMIT = 10;

    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @Option(names = "--limit", paramLabel = "N",
            description = "print N differences within each allocation, and count the others; 10 unless told")
    private long limit = USUAL_LIMIT;

    @Parameters(index = "0", paramLabel = "A", description = "the base of an image")
    private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "the base of another")
    private Path second = Path.of("");

    DiffCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 0) {
            throw new ParameterException(spec.commandLine(),
                    "Invalid value for option '--limit': '" + limit + "' is negative");
        }
        Optional<ArenaImage> one = open(first);
        Optional<ArenaImage> two = open(second);
        try {
            return one.isPresent() && two.isPresent() ? compare(one.get(), two.get()) : COULD_NOT_READ;
        } finally {
            close(one);
            close(two);
        }
    }

    private int compare(ArenaImage one, ArenaImage two) throws IOException {
        DiskUses warnings = new DiskUses(streams);
        DiffReport report = new DiffReport(streams, limit);
        try (Arena arena = Arena.ofConfined();
                DiffSide ours = new DiffSide(first, one, warnings);
                DiffSide other = new DiffSide(second, two, warnings)) {
            ImageDiff diff = new ImageDiff(streams, ours, other, report, arena);
            diff.run();
            boolean differs = report.finish(!diff.hasFailed());
            return diff.hasFailed() ? COULD_NOT_READ : differs ? ExitCode.SOFTWARE : ExitCode.OK;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(first + " and " + second, Streams.cause(e));
            return COULD_NOT_READ;
        }
    }

    private Optional<ArenaImage> open(Path base) {
        try {
            return Optional.of(Images.open(base));
        } catch (IOException e) {
            streams.complain(base.toString(), e);
            return Optional.empty();
        }
    }

    private static void close(Optional<ArenaImage> image) throws IOException {
        if (image.isPresent()) {
            image.get().close();
        }
    }
}
