package dev.arenakit.tool.completion;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `arena generate-completion`.
@Command(name = "generate-completion", versionProvider = CommandFrame.Version.class, mixinStandardHelpOptions = true,
        optionListHeading = "%nOptions:%n",
        description = {"Prints a script for bash and zsh, which completes commands, options, bases of images, and names"
                + " of allocations."},
        footer = {"", "Examples:", "  source <(arena generate-completion)      in this shell",
                "  arena generate-completion >> ~/.bashrc   in each new one"})
public final class CompletionCommand implements Callable<Integer> {
    /// Nobody chooses from more names than this.
    private static final int MAX_NAMES = 10_000;

    private final Streams streams;

    @Option(names = "--names", hidden = true, paramLabel = "BASE",
            description = "print the names of the allocations of an image instead, one per line")
    private Optional<Path> base = Optional.empty();

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec command;

    public CompletionCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (base.isPresent()) {
            return ExitCodes.of(printNames(base.get()));
        }
        CommandLine root = command.root().commandLine();
        streams.print(AutoComplete.bash(root.getCommandName(), root) + "\n" + CompletionScript.of(root));
        return ExitCodes.OK;
    }

    /// Prints names while the user types. Problems are not reported, because a message would disturb the typing.
    private boolean printNames(Path image) throws IOException {
        try (ArenaImage opened = ImageFileSet.openImage(image); Stream<Allocation> all = opened.allocations()) {
            Iterator<String> labels = all.filter(Allocation::isLive)
                    .map(Allocation::label)
                    .filter(label -> label.equals(PrintableText.of(label)))
                    .limit(MAX_NAMES)
                    .iterator();
            while (labels.hasNext()) {
                streams.print(labels.next() + "\n");
            }
            return true;
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }
}
