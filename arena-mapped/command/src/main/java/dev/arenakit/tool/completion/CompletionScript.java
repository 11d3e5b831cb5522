package dev.arenakit.tool.completion;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The part of the script that completes bases of images. picocli generates the other part,
/// which knows commands and options.
final class CompletionScript {
    private static final String RESOURCE = "completion.bash";
    private static final String COMMANDS = "    # commands\n";

    private CompletionScript() {}

    static String of(CommandLine root) {
        String commands = root.getSubcommands()
                .values()
                .stream()
                .map(CommandLine::getCommandSpec)
                .map(CompletionScript::command)
                .collect(Collectors.joining());
        return resource().replace(COMMANDS, commands);
    }

    /// The branch of the script's `case` statement that lists the arguments of a command.
    private static String command(CommandSpec command) {
        String parameters = command.positionalParameters()
                .stream()
                .sorted(Comparator.comparingInt(parameter -> parameter.index().min()))
                .map(CompletionScript::kind)
                .collect(Collectors.joining());
        return "    %s) values=' %s ' bases=' %s ' kinds='%s' ;;\n".formatted(command.name(),
                options(command, option -> option.arity().max() > 0),
                options(command, option -> isBase(option.paramLabel())), parameters);
    }

    private static String options(CommandSpec command, Predicate<OptionSpec> filter) {
        return command.options()
                .stream()
                .filter(filter)
                .flatMap(option -> Stream.of(option.names()))
                .collect(Collectors.joining(" "));
    }

    /// The letter of a parameter, with `+` if all further words are values of the same parameter.
    private static String kind(PositionalParamSpec parameter) {
        String label = parameter.paramLabel();
        String letter = label.contains("NAME") ? "n" : isBase(label) ? "b" : "-";
        return parameter.arity().max() > 1 || parameter.index().max() > parameter.index().min() ? letter + "+" : letter;
    }

    /// Whether a parameter is a base. The bases of `arena diff` are A and B.
    private static boolean isBase(String label) {
        return label.contains("BASE") || label.equals("A") || label.equals("B");
    }

    private static String resource() {
        try (InputStream in = CompletionScript.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("The command is not packed as a whole: resource=" + RESOURCE);
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
