package dev.arenakit.tool;

import dev.arenakit.tool.completion.CompletionCommand;
import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.ExitCodes;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.Suggestions;
import dev.arenakit.tool.copy.CopyCommand;
import dev.arenakit.tool.diff.DiffCommand;
import dev.arenakit.tool.export.ExportCommand;
import dev.arenakit.tool.find.FindCommand;
import dev.arenakit.tool.hexdump.HexdumpCommand;
import dev.arenakit.tool.importing.ImportCommand;
import dev.arenakit.tool.ls.LsCommand;
import dev.arenakit.tool.purge.PurgeCommand;
import dev.arenakit.tool.repair.RepairCommand;
import dev.arenakit.tool.seal.SealCommand;
import dev.arenakit.tool.serve.ServeCommand;
import dev.arenakit.tool.show.ShowCommand;
import dev.arenakit.tool.sql.SqlCommand;
import dev.arenakit.tool.trace.TraceCommand;
import dev.arenakit.tool.types.TypesCommand;
import dev.arenakit.tool.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The `arena` command.
@Command(name = "arena", versionProvider = CommandFrame.Version.class, mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND", commandListHeading = "%nCommands:%n", optionListHeading = "%nOptions:%n",
        description = {"Reads, checks, copies and makes images, which arenas write to files.",
                "An image is named by its BASE, with which the names of its files begin: /var/prices of"
                        + " /var/prices.catalog, /var/prices-0 and so on."},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:no problem and no difference", " 1:a problem, a difference, damaged data, or nothing found",
                " 2:wrong command line", " 3:something could not be read (diff, find, repair, verify)",
                " 130:interrupted"},
        footer = {"", "Examples:",
                "  arena ls /var/prices             lists the allocations of the image",
                "  arena show /var/prices trades    shows the structs of the allocation trades",
                "  arena verify /var/prices         checks the image for damage",
                "  arena seal /var/prices           records checksums of its contents",
                "  arena repair /var/prices         mends a copy of the image",
                "  arena copy /var/prices /backup   copies the image, with holes",
                "  arena diff /backup/prices /var/prices    prints what has changed",
                "  arena find /var/prices --where 'quantity < 0'    finds structs",
                "  arena sql /var/prices 'select max(price) from trades'    asks in SQL",
                "  arena serve /var/prices          gives its tables to programs, over HTTP",
                "  arena types header.i             shows the structs of a C header",
                "  arena purge /var --dry-run       lists the images of dead processes",
                "",
                "In bash and zsh, `source <(arena generate-completion)` enables completion."})
public final class Main {
    private static final List<Class<?>> COMMANDS = List.of(LsCommand.class, ShowCommand.class, HexdumpCommand.class,
            VerifyCommand.class, SealCommand.class, RepairCommand.class, CopyCommand.class, DiffCommand.class,
            FindCommand.class, SqlCommand.class, ExportCommand.class, ImportCommand.class, ServeCommand.class,
            TraceCommand.class, TypesCommand.class, PurgeCommand.class, CompletionCommand.class, HelpCommand.class);

    private Main() {}

    /// Runs the command and ends the JVM.
    ///
    /// @param args the arguments
    public static void main(String[] args) {
        System.exit(run(Streams.ofSystem(), args));
    }

    /// Runs the command.
    ///
    /// @return the exit code
    static int run(Streams streams, String... args) {
        CommandLine commandLine = new CommandLine(new Main(), factory(streams));
        String name = args.length == 0 ? "" : args[0];
        // Most commands run for less time than picocli needs to read the options of all commands.
        List<Class<?>> only = COMMANDS.stream().filter(command -> nameOf(command).equals(name)).toList();
        boolean needsAll = only.isEmpty() || List.of("help", "generate-completion").contains(name);
        (needsAll ? COMMANDS : only).forEach(commandLine::addSubcommand);
        commandLine.setOut(new PrintWriter(streams.out(), true, Streams.CHARSET));
        commandLine.setColorScheme(Help.defaultColorScheme(streams.ansi()));
        // A file may well be named @something.
        commandLine.setExpandAtFiles(false);
        commandLine.setParameterExceptionHandler((e, ignored) -> badUsage(streams, e));
        commandLine.setExecutionExceptionHandler((e, command, ignored) -> failed(streams, e));
        int exitCode = commandLine.execute(args);
        try {
            streams.out().flush();
            return exitCode;
        } catch (Output.Failure e) {
            return outputFailed(streams, e);
        } catch (IOException e) {
            throw new AssertionError("Output fails in no other way", e);
        }
    }

    private static String nameOf(Class<?> command) {
        return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
    }

    /// Makes the objects of picocli, and the frames of commands.
    private static IFactory factory(Streams streams) {
        return new IFactory() {
            @Override
            public <T> T create(Class<T> type) throws Exception {
                return type == CommandFrame.class
                        ? type.cast(new CommandFrame(streams))
                        : CommandLine.defaultFactory().create(type);
            }
        };
    }

    private static int badUsage(Streams streams, ParameterException e) {
        // picocli's messages about groups of options already begin with "Error: ". Other messages name Java types.
        String message = String.valueOf(e.getMessage())
                .replaceFirst("^Error: ", "")
                .replaceFirst(" is not an? (long|int|double)$", " is not a number")
                .replaceFirst("cannot convert '(.*)' to .*InvalidPathException.*", "'$1' " + ErrorText.NO_NAME);
        streams.report(
                unknownCommand(e).orElse(message) + "; see " + e.getCommandLine().getCommandSpec().qualifiedName()
                        + " --help");
        return ExitCodes.USAGE;
    }

    private static Optional<String> unknownCommand(ParameterException e) {
        CommandLine command = e.getCommandLine();
        Optional<String> unknown = Optional.empty();
        if (e instanceof UnmatchedArgumentException unmatched && command.getParent() == null
                && !unmatched.isUnknownOption()) {
            unknown = Optional.of(unmatched.getUnmatched().getFirst());
        } else if (String.valueOf(e.getMessage()).startsWith("Unknown subcommand")) {
            // The name comes from `arena help NAME`.
            unknown = Optional.ofNullable(e.getValue());
        }
        return unknown
                .map(name -> "no command " + name + Suggestions.of(name, command.getSubcommands().keySet().stream()));
    }

    private static int failed(Streams streams, Exception e) {
        // A failure of the output occurs again when the output is flushed, and is reported then.
        if (!(e instanceof Output.Failure)) {
            streams.report("unexpected: " + e);
        }
        return ExitCodes.PROBLEM;
    }

    private static int outputFailed(Streams streams, Output.Failure e) {
        if (e.isReaderGone()) {
            return ExitCodes.OK;
        }
        streams.report("standard output", e);
        return ExitCodes.PROBLEM;
    }
}
