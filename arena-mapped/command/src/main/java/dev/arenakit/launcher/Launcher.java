package dev.arenakit.launcher;

import java.nio.charset.Charset;

/// The main class of the `arena` command. Any Java from 11 can run it, so that an old Java says which one is needed.
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
        if (Runtime.version().feature() < NEEDED) {
            System.err.println("arena: Java " + NEEDED + " or newer is needed, but this is Java "
                    + System.getProperty("java.version") + ": install one, for example Eclipse Temurin " + NEEDED
                    + " from https://adoptium.net, and run its program java");
            System.exit(1);
        }
        String charset = System.getProperty("sun.jnu.encoding");
        for (String argument : args) {
            if (isUndecoded(argument, charset)) {
                System.err.println("arena: " + argument + " has characters that " + charset
                        + " does not have: set LC_ALL to an installed locale that has them, for example C.UTF-8");
                System.exit(2);
            }
        }
        Class.forName(COMMAND).getMethod("main", String[].class).invoke(null, (Object) args);
    }

    /// Whether Java has replaced bytes of an argument that are no text in its charset. The charset is ASCII in the locale
    /// C, and in a locale that is not installed.
    static boolean isUndecoded(String argument, String charset) {
        return argument.indexOf(REPLACEMENT) >= 0 && !Charset.forName(charset).newEncoder().canEncode(REPLACEMENT);
    }
}
