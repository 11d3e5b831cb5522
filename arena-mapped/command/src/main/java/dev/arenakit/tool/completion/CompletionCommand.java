package dev.arenakit.tool.completion;

import dev.arenakit.tool.console.CommandFrame;
import dev.arenakit.tool.console.ExitCodes;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `arena generate-completion`.
@Command(name = "generate-completion",
        description = "Prints a script for bash and zsh, which completes commands, options and files.",
        footer = {"", "Examples:", "  source <(arena generate-completion)      in this shell",
                "  arena generate-completion >> ~/.bashrc   in each new one"})
public final class CompletionCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandFrame frame;

    @Spec
    @SuppressWarnings("NullAway.Init") // Injected.
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        CommandLine root = command.root().commandLine();
        // picocli gives the names of files to compgen -W, which executes parts of them. Without them, and with the option
        // that picocli takes away, the shell completes the names itself.
        frame.print(AutoComplete.bash(root.getCommandName(), root)
                .replace("compgen -f -- \"${curr_word}\"", ":")
                .replace("compopt +o default", ":"));
        return ExitCodes.OK;
    }
}
