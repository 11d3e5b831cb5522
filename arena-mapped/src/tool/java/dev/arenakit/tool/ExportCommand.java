package dev.arenakit.tool;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `arena export`.
@Command(name = "export", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Writes an image, or allocations of it, in a form for other programs.",
                "What an image has lost is reported, and the rest is written; of a name that there is not, nothing is."},
        footer = {"",
                "A pattern or a specification is about one data file: name allocations that are in one, or tell its number"
                        + " with --file, where there are several.",
                "", "Examples:",
                "  arena export prices --c-header -o prices.h       the types for C",
                "  arena export prices trades --hexpat              to see trades in ImHex",
                "  arena export prices --ksy --file 0 -o prices.ksy a parser for prices-0",
                "  arena export prices --json | jq .allocation",
                "  arena export prices '#7' --bytes -o seven        holes remain holes",
                "  arena export prices --html -o prices.html        a page with everything"})
final class ExportCommand implements Callable<Integer> {
    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @ArgGroup(exclusive = true, multiplicity = "1", heading = "%nForms, one of which is to be chosen:%n")
    @SuppressWarnings("NullAway.Init") // Injected.
    private ExportForms form;

    @Option(names = {"-o", "--output"}, paramLabel = "FILE",
            description = "write a new file, which nobody else may read, instead of standard output")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--force", description = "replace the FILE that is there")
    private boolean force;

    @Option(names = "--file", paramLabel = "N", description = "export what is in data file N, as 0 for BASE-0")
    private Optional<Integer> file = Optional.empty();

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name or as #7; all that have not been freed where there is none")
    private List<String> names = List.of();

    ExportCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (file.isPresent() && file.get() < 0) {
            throw new ParameterException(spec.commandLine(),
                    "Invalid value for option '--file': '" + file.get() + "' is negative");
        }
        try (ArenaImage image = Images.open(base)) {
            ChosenAllocations named = new ChosenAllocations(streams, image, base);
            List<Allocation> allocations = named.find(names);
            if (named.hasFailed()) {
                return ExitCode.SOFTWARE;
            }
            return (output.isPresent() ? toFile(image, allocations, output.get()) : toStandard(image, allocations))
                    ? ExitCode.OK
                    : ExitCode.SOFTWARE;
        } catch (ExportUsageException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(base.toString(), Streams.cause(e));
            return ExitCode.SOFTWARE;
        }
    }

    private boolean toStandard(ArenaImage image, List<Allocation> allocations) throws IOException {
        return write(image, allocations, streams, new StandardTarget(streams.out()));
    }

    private boolean toFile(ArenaImage image, List<Allocation> allocations, Path path) throws IOException {
        if (FoundImage.isNamedLikeAFileOf(image.base(), path)) {
            streams.complain(path + ": a file of that name would be one of the image; choose another");
            return false;
        }
        try (FileTarget target = FileTarget.create(path, force)) {
            boolean isWhole = write(image, allocations, streams.withOutput(target.output()), target);
            target.finish();
            return isWhole;
        } catch (Output.Failure e) {
            streams.complain(path.toString(), e.cause());
            return false;
        }
    }

    private boolean write(ArenaImage image, List<Allocation> named, Streams to, ExportTarget target)
            throws IOException {
        OptionalInt number = file.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        return form.chosen().write(new Export(to, image, new ExportedAllocations(to, image, named, number), target));
    }
}
