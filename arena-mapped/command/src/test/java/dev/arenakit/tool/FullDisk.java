package dev.arenakit.tool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs the command on a small file system of its own, which soon is full.
public final class FullDisk {
    private FullDisk() {}

    /// Runs the command. A test that cannot mount the file system is skipped.
    ///
    /// @param disk a directory, which is a file system of 20 KiB for the command alone
    /// @return the lines of the output, the exit code, and the names of the files in the directory
    public static String run(Path disk, String... args) throws IOException, InterruptedException {
        List<String> mount = List.of("unshare", "-rm", "/bin/sh", "-c",
                "mount -t tmpfs -o size=20k tmpfs \"$0\" && \"$@\"; echo $?; ls \"$0\"", disk.toString());
        List<String> probe = new ArrayList<>(mount);
        probe.add("true");
        assumeTrue(output(probe).equals("0\n"), "needs a file system of its own: unshare -rm, and mount");
        List<String> command = new ArrayList<>(mount);
        command.addAll(TestImage.command(disk));
        command.subList(command.size() - 2, command.size()).clear();
        command.add(mount.size() + 1, "--enable-native-access=ALL-UNNAMED");
        command.add(Main.class.getName());
        command.addAll(List.of(args));
        return output(command);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            return output;
        } catch (IOException e) {
            return e.toString();
        }
    }
}
