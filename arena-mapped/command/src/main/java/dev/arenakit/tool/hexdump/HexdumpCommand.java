package dev.arenakit.tool.hexdump;

import dev.arenakit.dump.HexDump;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ByteSizes;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena hexdump`.
@Command(name = "hexdump", sortOptions = false,
        description = {"Prints files or allocations as `hexdump -C` does.",
                "Several files are printed like one file; each of several allocations has a heading. Holes of sparse"
                        + " files are not read: terabytes of them take no time."},
        footer = {"",
                "A SIZE is a number of bytes, 4096 or 0x1000, or with a suffix K, M, G, T, P or E for powers of 1024.",
                "", "Examples:",
                "  arena hexdump prices-0                          prints a file",
                "  arena hexdump --in prices trades --annotate     an allocation, with fields",
                "  arena hexdump --in prices '#7' -s 1M -n 64      64 bytes of another one"})
public final class HexdumpCommand implements Callable<Integer> {
    @Option(names = {"-s", "--skip"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "skip SIZE bytes of the input, or of each allocation")
    private long skip;

    @Option(names = {"-n", "--length"}, paramLabel = "SIZE", converter = ByteSizes.Converter.class,
            description = "print at most SIZE bytes of the input, or of each allocation")
    private long length = Long.MAX_VALUE;

    @Option(names = {"-v", "--no-squeezing"}, description = "print repeated lines too, instead of a *")
    private boolean everyLine;

    @Option(names = "--in", paramLabel = "BASE",
            description = "print allocations of the image of this base, with offsets from their start")
    private Optional<Path> base = Optional.empty();

    @Option(names = "--annotate", description = "print the names of the fields in each line, if the type is recorded")
    private boolean annotate;

    @Parameters(paramLabel = "FILE|NAME", description = "the files, by default standard input; with --in,"
            + " allocations by name or as #7")
    private List<String> names = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        HexDump range = HexDump.of().withSkip(skip).withLength(length);
        HexDump dump = everyLine ? range.withEveryLine() : range;
        return base.isPresent() ? printAllocations(base.get(), dump) : ExitCodes.of(printFiles(dump));
    }

    private boolean printFiles(HexDump dump) throws IOException {
        if (annotate) {
            throw frame.usageError("Option '--annotate' needs '--in': files have no types");
        }
        HexdumpFiles files = new HexdumpFiles(frame.streams(), names);
        dump.print(files, frame.streams().out());
        return !files.hasFailed();
    }

    private int printAllocations(Path base, HexDump dump) throws IOException {
        if (names.isEmpty()) {
            throw frame.usageError("Missing NAME of an allocation: option '--in' needs one");
        }
        return frame.run(base, () -> {
            try (ArenaImage image = ImageFileSet.openImage(base)) {
                return ExitCodes.of(new HexdumpAllocations(frame.streams(), image, dump, annotate).print(base, names));
            }
        });
    }
}
