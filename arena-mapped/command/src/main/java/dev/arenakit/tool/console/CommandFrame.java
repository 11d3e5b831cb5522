package dev.arenakit.tool.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The common part of all commands: the options `--help` and `--version`, checks of other options, and the exit code
/// and message of a failure. Each command has a frame as a mixin.
@Command(versionProvider = CommandFrame.Version.class, mixinStandardHelpOptions = true,
        parameterListHeading = "%nParameters:%n", optionListHeading = "%nOptions:%n")
public final class CommandFrame {
    /// The work of a command.
    @FunctionalInterface
    public interface Work {
        /// Does the work.
        ///
        /// @return the exit code
        int run() throws IOException;
    }

    private final Streams streams;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec command;

    public CommandFrame(Streams streams) {
        this.streams = streams;
    }

    /// The streams of the command.
    public Streams streams() {
        return streams;
    }

    /// Prints text to standard output, as [Streams#print] does.
    public void print(String text) throws IOException {
        streams.print(text);
    }

    /// Prints a message about a problem, as [Streams#report(String)] does.
    public void report(String problem) {
        streams.report(problem);
    }

    /// Makes the exception for a wrong command line.
    public ParameterException usageError(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /// Makes the exception for a wrong value of an option.
    ///
    /// @param problem the text after the value in the message
    public ParameterException invalidValue(String option, Object value, String problem) {
        return usageError("Invalid value for option '" + option + "': '" + value + "' " + problem);
    }

    /// Makes the exception for a predicate that applies to no type.
    public ParameterException invalidPredicate(String problem) {
        return usageError("Invalid value for option '--where': " + problem);
    }

    /// Checks the value of an option that is a limit or a number.
    public void checkNotNegative(String option, long value) {
        if (value < 0) {
            throw invalidValue(option, value, "is negative");
        }
    }

    /// Does the work of a command that ends with [ExitCodes#PROBLEM] if it fails.
    ///
    /// @param subject what the command is about, for the message of a failure
    /// @throws Output.Failure if the output cannot be written
    public int run(Object subject, Work work) throws IOException {
        return run(subject, ExitCodes.PROBLEM, work);
    }

    /// Does the work of a command, and reports a failure. The main class reports failures of the output instead.
    ///
    /// @param subject  what the command is about, for the message of a failure
    /// @param exitCode the exit code of a failure
    /// @throws Output.Failure if the output cannot be written
    public int run(Object subject, int exitCode, Work work) throws IOException {
        try {
            return work.run();
        } catch (Output.Failure e) {
            throw e;
        } catch (IOException | UncheckedIOException e) {
            streams.report(subject.toString(), ErrorText.cause(e));
            return exitCode;
        } catch (InvalidPathException e) {
            streams.report(e.getInput() + " " + ErrorText.NO_NAME);
            return exitCode;
        } catch (CancellationException e) {
            // The user has interrupted the command.
            return exitCode;
        }
    }

    /// The version of the command, which the manifest of arena.jar contains.
    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Version.class.getPackage().getImplementationVersion();
            return new String[]{"arena " + (version == null ? "(not packaged)" : version)};
        }
    }
}
