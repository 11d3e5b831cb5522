package dev.arenakit.tool;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/// The `arena` command.
@Command(name = "arena", versionProvider = Main.Version.class, mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND", commandListHeading = "%nCommands:%n", optionListHeading = "%nOptions:%n",
        description = "Reads what arenas have left in files.", exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:fine", " 1:a problem, a difference, or bad data", " 2:bad usage",
                " 3:could not read (diff, verify)",
                " 130:interrupted"},
        footer = {"", "Examples:",
                "  arena ls /var/prices             what is in the image of base /var/prices",
                "  arena show /var/prices trades    the structs of its allocation named trades",
                "  arena verify /var/prices         whether it is whole",
                "  arena diff /backup/prices /var/prices    what has changed in it",
                "  arena watch /var/prices          how it grows",
                "  arena purge /var --dry-run       what of dead processes could be removed",
                "",
                "In bash and zsh, `source <(arena generate-completion)` completes what is typed."})
public final class Main {
    private Main() {}

    /// Runs the command and ends the JVM.
    ///
    /// @param args the arguments
    public static void main(String[] args) {
        Streams streams = Streams.ofSystem();
        // Also when the user has enough: then nothing of the command stays on the terminal.
        Runtime.getRuntime().addShutdownHook(new Thread(streams::leaveTerminal));
        System.exit(run(streams, args));
    }

    /// Runs the command.
    ///
    /// @return the exit code
    static int run(Streams streams, String... args) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.addSubcommand(new LsCommand(streams));
        commandLine.addSubcommand(new ShowCommand(streams));
        commandLine.addSubcommand(new HexdumpCommand(streams));
        commandLine.addSubcommand(new DuCommand(streams));
        commandLine.addSubcommand(new VerifyCommand(streams));
        commandLine.addSubcommand(new DiffCommand(streams));
        commandLine.addSubcommand(new ExportCommand(streams));
        commandLine.addSubcommand(new WatchCommand(streams));
        commandLine.addSubcommand(new PurgeCommand(streams));
        commandLine.addSubcommand(new GenerateCompletion());
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

    private static int badUsage(Streams streams, ParameterException e) {
        // Of groups of options picocli says "Error: " itself.
        String message = String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
        streams.complain(message + "; see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int failed(Streams streams, Exception e) {
        // What is wrong with the output comes again when it is flushed, whoever has met it first.
        if (!(e instanceof Output.Failure)) {
            streams.complain("unexpected: " + e);
        }
        return ExitCode.SOFTWARE;
    }

    private static int outputFailed(Streams streams, Output.Failure e) {
        if (e.isReaderGone()) {
            return ExitCode.OK;
        }
        streams.complain("standard output", e);
        return ExitCode.SOFTWARE;
    }

    /// The version, from the manifest of arena.jar.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[]{"arena " + (version == null ? "(not packaged)" : version)};
        }
    }
}
