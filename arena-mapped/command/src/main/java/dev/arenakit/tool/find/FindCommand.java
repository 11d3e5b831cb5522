package dev.arenakit.tool.find;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.structs.StructTypeOption;
import dev.arenakit.tool.where.WhereException;
import dev.arenakit.tool.where.WhereFilters;
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

/// `arena find`.
@Command(name = "find", sortOptions = false,
        description = {"Finds structs by their fields, or bytes, in allocations.",
                "A struct is printed as trades[7072], which arena show accepts, and bytes as trades+0x37408, with the"
                        + " field at this place. Holes are not read, and what is zero throughout is not found: terabytes"
                        + " of them take no time."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:something was found", " 1:nothing was found", " 2:wrong command line",
                " 3:something could not be read"},
        footer = {"", "A predicate compares fields with constants:",
                "  quantity < 0 && symbol == \"ARNA\"      && || ! and parentheses, as in C",
                "  == != < <= > >=      numbers such as -5, 0x7f, 9.5, 1e9",
                "  side == SELL, open   a constant of an enum; a field that is true or false",
                "  symbol == \"ARNA\"     texts, which end as arena show prints them",
                "  symbol ~ \"^AR\"       ~ and !~ find a regular expression in a text",
                "  levels[2].price      a nested field; levels[*].price is true for any element",
                "A comparison with a member that a struct does not have, such as one of a union, is false. In a shell,"
                        + " put a predicate in single quotes.",
                "", "Examples:",
                "  arena find prices --where 'quantity < 0'           in all allocations with such a field",
                "  arena find prices trades --where 'id == 42' --count",
                "  arena find prices 'trades[0..999]' --where 'symbol ~ \"^AR\"' --json",
                "  arena find prices --bytes '7f 45 4c 46'",
                "  arena find prices --text ARNA --limit 10",
                "  arena find prices --type double --where 'value == 9.5'    doubles, whatever the structs are"})
public final class FindCommand implements Callable<Integer> {
    @ArgGroup(exclusive = true, multiplicity = "1", heading = "%nWhat to find, of which one is required:%n")
    @SuppressWarnings("NullAway.Init") // Injected.
    private FindTarget target;

    @Option(names = "--count", description = "print the number of results instead of the results")
    private boolean count;

    @Option(names = "--limit", paramLabel = "N", description = "stop after N results")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Option(names = "--type", paramLabel = "TEXT|@FILE", converter = StructTypeOption.class,
            description = "use this struct instead of the recorded type: a declaration as in C, or a file that"
                    + " contains it")
    private Optional<StructType> type = Optional.empty();

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name, as #7 or 'trade*', or structs of them as 'trades[7]' or"
                    + " 'trades[100..200]'; default: all live ones")
    private List<String> names = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        frame.checkNotNegative("--limit", limit);
        Optional<byte[]> pattern = target.pattern(frame);
        Optional<WhereFilters> types = target.where().map(where -> new WhereFilters(frame.streams(), where));
        return frame.run(base, ExitCodes.UNREADABLE, () -> find(types, pattern));
    }

    private int find(Optional<WhereFilters> types, Optional<byte[]> pattern) throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            FindReport report = new FindReport(frame.streams(), count, json, limit);
            boolean isRead = new FindAllocations(frame.streams(), image, type, types, pattern, report).run(base, names);
            boolean isComplete = !DamagedRecordsWarning.report(frame.streams(), image, base) && isRead;
            if (types.isPresent()) {
                types.get().finish(isComplete);
            }
            boolean isFound = report.finish();
            return isComplete ? ExitCodes.of(isFound) : ExitCodes.UNREADABLE;
        } catch (WhereException e) {
            throw frame.invalidPredicate(e.problem());
        }
    }
}
