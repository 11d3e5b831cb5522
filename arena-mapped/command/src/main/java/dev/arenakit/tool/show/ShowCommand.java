package dev.arenakit.tool.show;

import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.JsonOutput;
import dev.arenakit.tool.image.DamagedRecordsWarning;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.image.RingState;
import dev.arenakit.tool.structs.StructForm;
import dev.arenakit.tool.structs.StructJsonForm;
import dev.arenakit.tool.structs.StructPrinter;
import dev.arenakit.tool.structs.StructSelection;
import dev.arenakit.tool.structs.StructTypeOption;
import dev.arenakit.tool.where.Where;
import dev.arenakit.tool.where.WhereException;
import dev.arenakit.tool.where.WhereSelection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `arena show`.
@Command(name = "show", sortOptions = false,
        description = {"Prints the structs in allocations, with their fields, or the records of a ring.",
                "Consecutive structs that are zero are printed as one line. Holes are not read: terabytes of them"
                        + " take no time.",
                "Of a ring in a file, the records that were not read yet are printed: their positions, states, types,"
                        + " sizes, and their first 8 bytes, or with --bytes up to 4096."},
        footer = {"",
                "JSON output has one object per line, with the name of the allocation (#7 for number 7 without a"
                        + " name), the index of the struct in it, and the struct:",
                "  {\"allocation\":\"trades\",\"index\":0,\"value\":{\"id\":42,\"price\":9.5}}",
                "Consecutive structs that are zero are one object, with their number:",
                "  {\"allocation\":\"trades\",\"index\":1,\"zeros\":999}",
                "Integers are exact, even beyond 2^53. A constant of an enum is printed as its name, an address as a"
                        + " string such as \"0x7f00\", a reference as \"nodes[17]\", \"+0x440\" or \"none\"; NaN and"
                        + " infinities are strings too. A value beyond the end of the data is null.",
                "", "Examples:",
                "  arena show prices                   shows all allocations with a type",
                "  arena show prices trades --limit 5",
                "  arena show prices trades --pretty",
                "  arena show prices 'trades[7072]' --bytes",
                "  arena show prices trades --where 'quantity < 0 && symbol == \"ARNA\"'",
                "  arena show tasks head --follow next shows the structs of a list",
                "  arena show prices '#7' --type 'struct { uint64_t id; double price; };'",
                "  arena show prices '#7' --type uint32_t     likewise 'float[4]', 'char[16]'",
                "  arena show prices --json trades | jq .value.price",
                "  arena show /dev/shm/orders          shows the unread messages of a ring"})
public final class ShowCommand implements Callable<Integer> {
    @Option(names = "--type", paramLabel = "TEXT|@FILE", converter = StructTypeOption.class,
            description = "use this type instead of the recorded one: a struct or a plain type, declared as in C, or a"
                    + " file that contains it")
    private Optional<StructType> type = Optional.empty();

    @Option(names = "--json", description = "print JSON, one object per line")
    private boolean json;

    @Option(names = "--where", paramLabel = "PREDICATE", converter = Where.Option.class,
            description = "print the structs that satisfy a predicate, such as 'quantity < 0': see arena find --help")
    private Optional<Where> where = Optional.empty();

    @Option(names = "--follow", paramLabel = "FIELD",
            description = "print a chain: the first struct of NAME, the struct that this reference in it refers to, and"
                    + " so on; --skip and --limit count structs of the chain")
    private Optional<String> follow = Optional.empty();

    @Option(names = "--skip", paramLabel = "N", description = "skip the first N structs of each allocation, or records")
    private long skip;

    @Option(names = "--limit", paramLabel = "N",
            description = "print the first N structs of each allocation, or records")
    private long limit = Long.MAX_VALUE;

    @Option(names = {"-p", "--pretty"}, description = "print each field on its own line, and indent nested structs")
    private boolean pretty;

    @Option(names = {"-x", "--bytes"},
            description = "print each field on its own line, after its offset in the allocation and its bytes")
    private boolean bytes;

    @Parameters(index = "0", paramLabel = "BASE|FILE", description = "the base of an image, or the file of a ring")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name, as #7 or 'trade*', or structs of them as 'trades[7]' or"
                    + " 'trades[100..200]'; default: all live ones with a type")
    private List<String> names = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Override
    public Integer call() throws IOException {
        frame.checkNotNegative("--skip", skip);
        frame.checkNotNegative("--limit", limit);
        if (json && (bytes || pretty)) {
            throw frame.usageError(
                    "Options '--json' and '" + (bytes ? "--bytes" : "--pretty") + "' exclude each other");
        }
        if (follow.isPresent() && (names.size() != 1 || where.isPresent())) {
            throw frame.usageError(where.isPresent()
                    ? "Options '--follow' and '--where' exclude each other"
                    : "Option '--follow' needs one NAME: the allocation where the chain begins");
        }
        Optional<WhereSelection> selection = where
                .map(found -> new WhereSelection(frame.streams(), found, skip, limit));
        return frame.run(base, () -> RingState.isRing(base) ? showRing() : ExitCodes.of(show(selection)));
    }

    private int showRing() throws IOException {
        if (type.isPresent() || where.isPresent() || pretty) {
            throw frame
                    .usageError("Option '" + (type.isPresent() ? "--type" : where.isPresent() ? "--where" : "--pretty")
                            + "' needs structs: " + base + " is a ring");
        }
        if (!names.isEmpty()) {
            throw frame.usageError(base + " is a ring, which has no allocations: " + names.getFirst());
        }
        new ShowRing(frame.streams(), json, bytes).print(base, skip, limit);
        return ExitCodes.OK;
    }

    private LayoutDump options(LayoutDump dump) {
        LayoutDump lines = pretty ? dump.withLines() : dump;
        return bytes ? lines.withOffsets().withBytes() : lines;
    }

    private boolean show(Optional<WhereSelection> selection) throws IOException {
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            StructForm form = json
                    ? new StructJsonForm(JsonOutput.generator(frame.streams().out()))
                    : new ShowTextForm(frame.streams(), this::options);
            StructSelection structs = selection.isPresent()
                    ? selection.get()
                    : follow.isPresent() ? StructSelection.of(0, 1) : StructSelection.of(skip, limit);
            try (StructPrinter printer = new StructPrinter(frame.streams(), image, type, form, structs)) {
                ShowAllocations allocations = new ShowAllocations(frame.streams(), image, printer);
                boolean isPrinted = follow.isPresent()
                        ? allocations.printChain(base, names.getFirst(),
                                new ShowChain(image, printer, follow.get(), skip, limit))
                        : allocations.print(base, names);
                boolean isComplete = !DamagedRecordsWarning.report(frame.streams(), image, base) && isPrinted;
                if (selection.isPresent()) {
                    selection.get().finish(isComplete);
                }
                form.finish();
                return isComplete;
            }
        } catch (WhereException e) {
            throw frame.invalidPredicate(e.problem());
        }
    }
}
