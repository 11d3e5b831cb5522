package dev.arenakit.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The main class of the `arena` command. If the running Java is too old, it runs the command in another one.
public final class Launcher {
    /// The release of Java for which the command is compiled.
    static final int NEEDED = 25;

    /// The character in place of bytes that are no text.
    private static final char REPLACEMENT = '\uFFFD';
    /// The name, because the compiler for this class's older release cannot read the command's classes.
    private static final String COMMAND = "dev.arenakit.tool.Main";

    private Launcher() {}

    /// Runs the command and ends the JVM with its exit code.
    ///
    /// @param args the arguments of the command
    /// @throws ReflectiveOperationException if the command is not in the same jar
    public static void main(String[] args) throws ReflectiveOperationException {
        String charset = System.getProperty("sun.jnu.encoding");
        for (String argument : args) {
            if (isUndecoded(argument, charset)) {
                System.err.println("arena: " + argument + " has characters that " + charset
                        + " does not have: set LC_ALL to an installed locale that has them, for example C.UTF-8");
                System.exit(2);
            }
        }
        if (Runtime.version().feature() >= NEEDED) {
            Class.forName(COMMAND).getMethod("main", String[].class).invoke(null, (Object) args);
        } else {
            System.exit(runElsewhere(JdkFinder.ofSystem(), System.err, args));
        }
    }

    /// Whether Java has replaced bytes of an argument that are no text in its charset. The charset is ASCII in the locale
    /// C, and in a locale that is not installed.
    static boolean isUndecoded(String argument, String charset) {
        return argument.indexOf(REPLACEMENT) >= 0 && !Charset.forName(charset).newEncoder().canEncode(REPLACEMENT);
    }

    /// Runs the command in another Java.
    ///
    /// @return the exit code of the command
    static int runElsewhere(JdkFinder finder, PrintStream err, String[] args) {
        Optional<Path> home = finder.find(version -> version >= NEEDED);
        if (home.isEmpty()) {
            err.println("arena: Java " + NEEDED + " or newer is needed, but this is Java "
                    + System.getProperty("java.version") + ": install one, for example Eclipse Temurin " + NEEDED
                    + " from https://adoptium.net, in a usual directory, or set JAVA_HOME to it");
            return 1;
        }
        try {
            Process process = new ProcessBuilder(command(home.get(), args)).inheritIO().start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            return process.waitFor();
        } catch (IOException e) {
            err.println("arena: Java cannot be started: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return 1;
        }
    }

    private static List<String> command(Path home, String[] args) {
        List<String> command = new ArrayList<>();
        command.add(JdkFinder.program(home).toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        // Run the command's class and not the jar: a Java that is older than its release file says would run this class
        // again.
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), COMMAND));
        command.addAll(List.of(args));
        return command;
    }
}
