package dev.arenakit.tool;

import dev.arenakit.dump.HexDump;
import dev.arenakit.mapped.ArenaImage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `arena hexdump`.
@Command(name = "hexdump", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Prints files or allocations as `hexdump -C` does.",
                "Several files are printed as if they were one; of several allocations each has a heading. Holes of sparse files"
                        + " are not read: terabytes of them take no time."},
        footer = {"",
                "A SIZE is a number of bytes: 4096, 0x1000 or 010000, or with a suffix 4K = 4KiB (1024 bytes each), 4KB"
                        + " (1000), and so on with M, G, T, P, E.",
                "", "Examples:",
                "  arena hexdump prices-0                          a file",
                "  arena hexdump --in prices trades --annotate     an allocation, with fields",
                "  arena hexdump --in prices '#7' -s 1M -n 64      64 bytes of another"})
final class HexdumpCommand implements Callable<Integer> {
    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @Option(names = {"-s", "--skip"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "skip SIZE bytes of the input, or of each allocation")
    private long skip;

    @Option(names = {"-n", "--length"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "print SIZE bytes at most, or of each allocation")
    private long length = Long.MAX_VALUE;

    @Option(names = {"-v", "--no-squeezing"}, description = "print lines that repeat the one before, not a *")
    private boolean everyLine;

    @Option(names = "--in", paramLabel = "BASE",
            description = "print allocations of the image of that base, by offsets from their beginnings")
    private Optional<Path> base = Optional.empty();

    @Option(names = "--annotate", description = "name the fields in each line, of allocations whose type is recorded")
    private boolean annotate;

    @Parameters(paramLabel = "FILE|NAME", description = "the files, standard input where there is none; with --in,"
            + " allocations by name or as #7")
    private List<String> names = List.of();

    HexdumpCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        HexDump part = HexDump.of().withSkip(skip).withLength(length);
        HexDump dump = everyLine ? part.withEveryLine() : part;
        boolean isWhole = base.isPresent() ? printAllocations(base.get(), dump) : printFiles(dump);
        return isWhole ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private boolean printFiles(HexDump dump) throws IOException {
        if (annotate) {
            throw new ParameterException(spec.commandLine(), "Option '--annotate' needs '--in': files have no types");
        }
        FileSequence input = new FileSequence(streams, names);
        dump.print(input, streams.out());
        return !input.hasFailed();
    }

    private boolean printAllocations(Path base, HexDump dump) throws IOException {
        if (names.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Missing NAME of an allocation: option '--in' needs one");
        }
        try (ArenaImage image = Images.open(base)) {
            return new AllocationDump(streams, image, dump, annotate).print(base, names);
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(base.toString(), Streams.cause(e));
            return false;
        }
    }
}
