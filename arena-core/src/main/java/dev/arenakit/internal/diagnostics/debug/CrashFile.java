package dev.arenakit.internal.diagnostics.debug;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// What the crash file of a JVM (`hs_err_pidN.log`) tells about the access that terminated the process.
///
/// @param directory the directory of the file
/// @param pid       the number of the process
/// @param address   the address that was accessed
/// @param frames    the stack of the access, without frames of the JDK's method handles
public record CrashFile(Path directory, long pid, long address, List<String> frames) {
    private static final Pattern PID = Pattern.compile("\\bpid=(\\d{1,18})\\b");
    private static final Pattern ADDRESS = Pattern.compile("\\bsi_addr: 0x([0-9a-f]{1,16})\\b");
    private static final Pattern OF_JDK = Pattern
            .compile("[jJvVC] .*(java\\.lang\\.invoke\\.|jdk\\.internal\\.|~|JavaCalls::|jni_|libjli).*");
    private static final int MOST_FRAMES = 16;

    /// Reads a crash file.
    ///
    /// @throws IOException if it cannot be read, or is no crash file of an access to memory
    public static CrashFile read(Path file) throws IOException {
        // The encoding of the names of threads and paths in the file is not known.
        List<String> lines = Files.readAllLines(file, ISO_8859_1);
        long pid = Long.parseLong(find(file, lines, PID, "the process id"));
        long address = Long.parseUnsignedLong(find(file, lines, ADDRESS, "the address of the access (si_addr)"), 16);
        List<String> frames = lines.stream()
                .dropWhile(line -> !line.startsWith("Native frames:"))
                .skip(1)
                .takeWhile(line -> !line.isBlank() && !line.startsWith("Java frames:"))
                .filter(line -> !OF_JDK.matcher(line).matches())
                .limit(MOST_FRAMES)
                .toList();
        return new CrashFile(Objects.requireNonNull(file.toAbsolutePath().getParent()), pid, address, frames);
    }

    private static String find(Path file, List<String> lines, Pattern pattern, String what) throws IOException {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElseThrow(() -> new IOException("Not a crash file of an access to memory: file=" + file
                        + ", missing=" + what
                        + "; pass the hs_err_pidN.log of a process that an access has terminated by "
                        + "SIGSEGV or SIGBUS: a signal that kill has sent has no address"));
    }
}
