package dev.arenakit.bench.candidate.message;

import dev.arenakit.bench.candidate.JvmArgs;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that returns each message. It ends as soon as its standard input ends, so that it never outlives the
/// process that has started it.
final class EchoProcess {
    /// The byte that the process prints when it has opened its end.
    static final int READY = 'r';

    /// Warnings of the JVM must not get into the pipe of the messages.
    private static final List<String> JVM_ARGS = List.of(JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE,
            "--sun-misc-unsafe-memory-access=allow", "-XX:+DisplayVMOutputToStderr", "-Xms64m", "-Xmx64m",
            "-XX:+UseSerialGC");

    private EchoProcess() {}

    /// Starts the process, with the JDK of this one.
    static Process start(MessageLinks links, Path directory) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_ARGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EchoProcess.class.getName(), links.name(),
                directory.toString()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /// Returns messages until the other process has ended.
    ///
    /// @param args the name of a constant of [MessageLinks], and the directory
    public static void main(String[] args) throws IOException {
        MessageLinks links = MessageLinks.valueOf(args[0]);
        if (links != MessageLinks.PIPE) {
            Thread.ofPlatform().daemon().start(EchoProcess::endWithInput);
        }
        try (MessageLink link = links.open(Path.of(args[1]), LinkEnd.PEER, true, () -> true)) {
            System.out.write(READY);
            System.out.flush();
            echo(link);
        } catch (EOFException _) {
            // The other process has ended.
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is sent.
            }
        } catch (IOException _) {
            // The process that has started this one is gone in this case, too.
        }
        Runtime.getRuntime().halt(0);
    }

    /// Returns messages until the link throws an exception.
    static void echo(MessageLink link) throws IOException {
        while (true) {
            link.send(link.receive());
        }
    }
}
