package dev.arenakit.tool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import static java.nio.charset.StandardCharsets.UTF_8;

/// `arena purge`.
@Command(name = "purge", versionProvider = Main.Version.class, mixinStandardHelpOptions = true, sortOptions = false,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n",
        description = {"Removes images that no process owns.",
                "Of an image the files are removed that its catalog records, the catalog, and the lock, which is held meanwhile. Whatever"
                        + " else is there stays: files that are not recorded or have no catalog, links, and what they lead to. An image"
                        + " that a process owns is never removed.",
                "On a terminal it lists the images and asks; elsewhere it wants --yes or --dry-run."},
        footer = {"",
                "The age of an image is the time since one of its files was modified, or a process opened it.",
                "A DURATION is a number with a unit: 90s, 30m, 12h, 7d or 2w.",
                "", "Examples:",
                "  arena purge --dry-run              what could go of this directory",
                "  arena purge /var/tmp --older-than 7d --name 'prices-*'",
                "  arena purge /var/prices --yes      one image, without a question"})
final class PurgeCommand implements Callable<Integer> {
    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec spec;

    @Option(names = "--older-than", paramLabel = "DURATION", converter = Durations.class,
            description = "only images of that age or more")
    private Duration age = Duration.ZERO;

    @Option(names = "--name", paramLabel = "GLOB", converter = Glob.class,
            description = "only images whose name, the last part of the base, is like GLOB")
    private Optional<PathMatcher> name = Optional.empty();

    @Option(names = {"-n", "--dry-run"}, description = "say what would be removed, and remove nothing")
    private boolean dryRun;

    @Option(names = {"-y", "--yes"}, description = "do not ask")
    private boolean yes;

    @Parameters(paramLabel = "DIR|BASE", arity = "0..*",
            description = "directories, or bases of images; the current directory where there is none")
    private List<Path> targets = List.of();

    PurgeCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (!dryRun && !yes && !streams.screen().canAsk()) {
            throw new ParameterException(spec.commandLine(),
                    "There is no terminal to ask on: say '--yes' to remove, or '--dry-run' to look");
        }
        Purge purge = new Purge(streams, age);
        List<Purge.Candidate> candidates = new ArrayList<>();
        for (Path target : targets.isEmpty() ? List.of(Path.of("")) : targets) {
            for (FoundImage image : images(purge, target)) {
                if (name.isEmpty() || name.get().matches(image.base().getFileName())) {
                    purge.consider(image, !Files.isDirectory(target)).ifPresent(candidates::add);
                }
            }
        }
        if (candidates.isEmpty()) {
            streams.print("nothing to remove\n");
        } else if (dryRun || yes || isConfirmed(purge, candidates)) {
            purge.remove(candidates, dryRun);
        }
        return purge.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private List<FoundImage> images(Purge purge, Path target) throws IOException {
        try {
            if (Files.isDirectory(target)) {
                return FoundImage.in(target).stream().filter(FoundImage::hasCatalog).toList();
            }
            FoundImage image = FoundImage.of(FoundImage.baseOf(target));
            if (image.hasCatalog()) {
                return List.of(image);
            }
            purge.fail(target.toString(), new IOException(image.isEmpty()
                    ? "no such image"
                    : "no catalog, only data files: nothing tells that they are an arena's"));
        } catch (IOException | UncheckedIOException e) {
            purge.fail(target.toString(), Streams.cause(e));
        }
        return List.of();
    }

    private boolean isConfirmed(Purge purge, List<Purge.Candidate> candidates) throws IOException {
        purge.list(candidates);
        streams.out().flush();
        streams.err().print("Remove " + ByteSizes.count(candidates.size(), "image") + "? [y/N] ");
        streams.err().flush();
        String answer = readLine().strip().toLowerCase(Locale.ROOT);
        boolean isConfirmed = answer.equals("y") || answer.equals("yes");
        if (!isConfirmed) {
            streams.print("nothing was removed\n");
        }
        return isConfirmed;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = streams.in().read(); next >= 0 && next != '\n'; next = streams.in().read()) {
            line.write(next);
        }
        return line.toString(UTF_8);
    }

    /// A pattern of names.
    static final class Glob implements ITypeConverter<PathMatcher> {
        @Override
        public PathMatcher convert(String text) {
            try {
                return FileSystems.getDefault().getPathMatcher("glob:" + text);
            } catch (PatternSyntaxException e) {
                throw new TypeConversionException("'" + text + "' is not a pattern of names: " + e.getDescription());
            }
        }
    }
}
