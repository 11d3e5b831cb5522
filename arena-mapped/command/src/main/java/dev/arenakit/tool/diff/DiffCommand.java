package dev.arenakit.tool.diff;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.where.Where;
import dev.arenakit.tool.where.WhereException;
import dev.arenakit.tool.where.WhereFilters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena diff`.
@Command(name = "diff", sortOptions = false,
        description = {"Prints the differences between two images.",
                "Allocations are matched by name, or by number if they have no name, as in #7; freed ones are left"
                        + " out. Fields are compared if the type is recorded, otherwise bytes. Padding is ignored,"
                        + " and so is the rest of a string after its end. The entries of maps and trees are matched by"
                        + " their keys. If an allocation has grown or shrunk, the"
                        + " part that both images have is compared. Holes that both images have are not read:"
                        + " terabytes of them take no time."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:no difference", " 1:there are differences", " 2:wrong command line",
                " 3:something could not be read"},
        footerHeading = "%nLines:%n",
        footer = {"  - old: Trade[10], 320 B     only the first image has the allocation",
                "  + new: Trade[10], 320 B     only the second image has it",
                "  ! trades: Trade[10], 320 B  both images have it, with differences:",
                "      [7].price: 9.5 -> 9.75    a field of struct 7",
                "      0x40..0x4f: 16 bytes, 01 02 ... -> 03 04 ...",
                "                                bytes at these offsets, without a type",
                "      [id=7].price: 9.5 -> 9.75 with --key id: a field of the struct with this id",
                "      - [id=9]: { id = 9, ... } with --key id: only the first image has a struct with this id",
                "",
                "Examples:",
                "  arena diff /backup/prices /var/prices",
                "  arena diff before after --limit 1000",
                "  arena diff before after --key id",
                "  arena diff before after --where 'symbol == \"ARNA\"'"})
public final class DiffCommand implements Callable<Integer> {
    private static final long DEFAULT_LIMIT = 10;

    @Option(names = "--limit", paramLabel = "N",
            description = "print N differences of each allocation, and count the others; the default is 10")
    private long limit = DEFAULT_LIMIT;

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Option(names = "--where", paramLabel = "PREDICATE", converter = Where.Option.class,
            description = "print only differences of structs that satisfy a predicate in one of the images, such as"
                    + " 'quantity < 0': see arena find --help")
    private Optional<Where> where = Optional.empty();

    @Option(names = "--key", paramLabel = "FIELD",
            description = "pair structs by the value of a field, such as 'id' or 'header.number', and not by their"
                    + " index; allocations without the field are compared by index. Structs of zeros are left out,"
                    + " unless the image has recorded how many structs there are")
    private Optional<String> key = Optional.empty();

    @Parameters(index = "0", paramLabel = "A", description = "the base of the first image")
    private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "the base of the second image")
    private Path second = Path.of("");

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        frame.checkNotNegative("--limit", limit);
        // The second image is opened even if the first one cannot be, so that all problems are reported.
        try (ComparedImage one = open(first); ComparedImage two = open(second)) {
            return one == null || two == null
                    ? ExitCodes.UNREADABLE
                    : frame.run(first + " and " + second, ExitCodes.UNREADABLE, () -> compare(one, two));
        }
    }

    private int compare(ComparedImage one, ComparedImage two) throws IOException {
        DiffReport report = new DiffReport(frame.streams(), json, limit);
        try {
            Optional<WhereFilters> types = where.map(found -> new WhereFilters(frame.streams(), found));
            Optional<DiffKey> field = key.map(DiffKey::new);
            if (field.isPresent()) {
                field.get().check(one.image());
            }
            boolean isComplete = new ImageComparison(frame.streams(), one, two, report, types, field).run();
            isComplete &= !DamagedRecordsWarning.report(frame.streams(), one.image(), first);
            isComplete &= !DamagedRecordsWarning.report(frame.streams(), two.image(), second);
            if (types.isPresent()) {
                types.get().finish(isComplete);
            }
            boolean differs = report.finish(isComplete);
            return isComplete ? ExitCodes.of(!differs) : ExitCodes.UNREADABLE;
        } catch (DiffKey.InvalidKeyException e) {
            throw frame.invalidValue("--key", key.orElseThrow(), String.valueOf(e.getMessage()));
        } catch (WhereException e) {
            throw frame.invalidPredicate(e.problem());
        }
    }

    /// Opens an image, or returns null if it cannot be opened.
    private @Nullable ComparedImage open(Path base) {
        try {
            return ComparedImage.open(base);
        } catch (IOException e) {
            frame.streams().report(base.toString(), e);
            return null;
        }
    }
}
