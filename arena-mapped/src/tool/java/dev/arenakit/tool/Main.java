package dev.arenakit.tool;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.PrintWriter;

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
        exitCodeList = {" 0:fine", " 1:a problem, told on standard error", " 2:bad usage"})
public final class Main {
    private Main() {}

    /// Runs the command and ends the JVM.
    ///
    /// @param args the arguments
    public static void main(String[] args) {
        Streams streams = new Streams(new FileInputStream(FileDescriptor.in),
                Output.ofSystem(), System.err, Help.Ansi.AUTO);
        System.exit(run(streams, args));
    }

    /// Runs the command.
    ///
    /// @return the exit code
    static int run(Streams streams, String... args) {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.addSubcommand(new LsCommand(streams));
        commandLine.addSubcommand(new HexdumpCommand(streams));
        commandLine.setOut(new PrintWriter(streams.out(), true, Streams.CHARSET));
        commandLine.setColorScheme(Help.defaultColorScheme(streams.ansi()));
        // A file may well be named @something.
        commandLine.setExpandAtFiles(false);
        commandLine.setParameterExceptionHandler((e, ignored) -> badUsage(streams, e));
        commandLine.setExecutionExceptionHandler((e, command, ignored) -> failed(streams, e));
        return commandLine.execute(args);
    }

    private static int badUsage(Streams streams, ParameterException e) {
        streams.complain(e.getMessage() + "; see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int failed(Streams streams, Exception e) {
        if (e instanceof Output.Failure failure) {
            if (failure.isReaderGone()) {
                return ExitCode.OK;
            }
            streams.complain("standard output", failure);
        } else {
            streams.complain("unexpected: " + e);
        }
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
