package dev.arenakit.tool;

import picocli.CommandLine.Command;

/// The `arena` command.
@Command(name = "arena")
final class Main {
    private Main() {}
}
