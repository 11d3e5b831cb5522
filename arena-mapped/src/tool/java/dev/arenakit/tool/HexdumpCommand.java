package dev.arenakit.tool;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.dump.HexDump;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena hexdump`.
@Command(name = "hexdump", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Prints files as `hexdump -C` does.",
                "Several files are printed as if they were one. Holes of sparse files are not read: terabytes of them take no"
                        + " time."},
        footer = {"",
                "A SIZE is a number of bytes: 4096, 0x1000 or 010000, or with a suffix 4K = 4KiB (1024 bytes each), 4KB"
                        + " (1000), and so on with M, G, T, P, E."})
final class HexdumpCommand implements Callable<Integer> {
    private final Streams streams;

    @Option(names = {"-s", "--skip"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "skip SIZE bytes of the input")
    private long skip;

    @Option(names = {"-n", "--length"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "print SIZE bytes at most")
    private long length = Long.MAX_VALUE;

    @Option(names = {"-v", "--no-squeezing"}, description = "print lines that repeat the one before, not a *")
    private boolean everyLine;

    @Parameters(paramLabel = "FILE", description = "the files; standard input where there is none")
    private List<String> files = List.of();

    HexdumpCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        HexDump dump = HexDump.of().withSkip(skip).withLength(length);
        FileSequence input = new FileSequence(streams, files);
        (everyLine ? dump.withEveryLine() : dump).print(input, streams.out());
        return input.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
