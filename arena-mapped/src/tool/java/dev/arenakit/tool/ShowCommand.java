package dev.arenakit.tool;

import dev.arenakit.layout.StructType;
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

/// `arena show`.
@Command(name = "show", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Prints the structs in allocations, with their fields.",
                "Structs in a row that are zero are one line, so that what was never written takes no time."},
        footer = {"",
                "JSON is one object a line: the name of the allocation (#7 for number 7 without one), the index of the struct in"
                        + " it, and the struct:",
                "  {\"allocation\":\"trades\",\"index\":0,\"value\":{\"id\":42,\"price\":9.5}}",
                "A run of structs that are zero is an object with their number:",
                "  {\"allocation\":\"trades\",\"index\":1,\"zeros\":999}",
                "Integers are exact, and may be beyond 2^53. A constant of an enum is its name, an address a text like"
                        + " \"0x7f00\"; NaN and infinities are texts too. What lies behind the end of the data is null.",
                "", "Examples:",
                "  arena show prices                   all that has a type",
                "  arena show prices trades --limit 5",
                "  arena show prices '#7' --type 'struct { int64_t id; double price; };'",
                "  arena show prices --json trades | jq .value.price"})
final class ShowCommand implements Callable<Integer> {
    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @Option(names = "--type", paramLabel = "TEXT|@FILE", converter = TypeOption.class,
            description = "the struct, where the image does not tell or another one is wanted: a declaration like that of C,"
                    + " or a file of it")
    private Optional<StructType> type = Optional.empty();

    @Option(names = "--json", description = "print JSON, an object a line")
    private boolean json;

    @Option(names = "--limit", paramLabel = "N", description = "print the first N structs of each allocation")
    private long limit = Long.MAX_VALUE;

    @Option(names = {"-x", "--bytes"},
            description = "print each field in a line, behind its offset in the allocation and its bytes")
    private boolean bytes;

    @Parameters(index = "0", paramLabel = "BASE", description = "the base of an image")
    private Path base = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME",
            description = "allocations, by name or as #7; all that have a type where there is none")
    private List<String> names = List.of();

    ShowCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 0 || (json && bytes)) {
            throw new ParameterException(spec.commandLine(), limit < 0
                    ? "Invalid value for option '--limit': '" + limit + "' is negative"
                    : "Options '--json' and '--bytes' exclude each other");
        }
        try (ArenaImage image = Images.open(base)) {
            StructForm form = json
                    ? new JsonForm(JsonForm.generator(streams.out()), limit)
                    : new TextForm(streams, limit, bytes);
            boolean isWhole = new Show(streams, image, type, form).print(base, names);
            form.finish();
            return isWhole ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.complain(base.toString(), Streams.cause(e));
            return ExitCode.SOFTWARE;
        }
    }
}
