package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// A small file system in memory, which only the scenario that runs on it sees.
public final class SmallDisk {
    private SmallDisk() {}

    /// Runs a scenario of a class on a file system of 512 KiB. A test that cannot mount it is skipped.
    ///
    /// @param mountPoint a directory that does not exist yet, and is the second argument of the scenario
    /// @return the output
    public static List<String> run(Class<?> main, String scenario, Path mountPoint)
            throws IOException, InterruptedException {
        return run("size=512k,nr_inodes=40", mountPoint,
                ChildJvm.denied().command(main, scenario, mountPoint.toString()));
    }

    /// Runs a command on a file system. A test that cannot mount it is skipped.
    ///
    /// @param options    the options of the file system
    /// @param mountPoint a directory that does not exist yet
    /// @return the output
    static List<String> run(String options, Path mountPoint, ProcessBuilder scenario)
            throws IOException, InterruptedException {
        Files.createDirectory(mountPoint);
        return runBehind("mount -t tmpfs -o " + options + " tmpfs \"$0\"", mountPoint, scenario);
    }

    /// Runs a command behind a mount that nobody else sees. A test that cannot mount it is skipped.
    ///
    /// @param mount  a command of the shell
    /// @param source its argument `$0`
    /// @return the output
    static List<String> runBehind(String mount, Path source, ProcessBuilder scenario)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("unshare", "-rm", "/bin/sh", "-c", mount + " && exec \"$@\"", source.toString()));
        assumeTrue(succeeds(command), "needs mounts of its own: unshare -rm, and mount");
        command.addAll(scenario.command());
        return ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true)).lines().toList();
    }

    private static boolean succeeds(List<String> mount) throws InterruptedException {
        List<String> command = new ArrayList<>(mount);
        command.add("true");
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
