package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// A file system of 512 KiB, which only the scenario that runs on it sees.
final class SmallDisk {
    private SmallDisk() {}

    /// Runs a scenario of a class. A test that cannot mount the file system is skipped.
    ///
    /// @param mountPoint a directory that does not exist yet, and is the second argument of the scenario
    /// @return the output
    static List<String> run(Class<?> main, String scenario, Path mountPoint) throws IOException, InterruptedException {
        Files.createDirectory(mountPoint);
        List<String> mount = List.of("unshare", "-rm", "/bin/sh", "-c",
                "mount -t tmpfs -o size=512k,nr_inodes=40 tmpfs \"$0\" && exec \"$@\"", mountPoint.toString());
        assumeTrue(succeeds(mount), "needs a file system of its own: unshare -rm, and mount");
        List<String> command = new ArrayList<>(mount);
        command.addAll(ChildJvm.command(main, scenario, mountPoint.toString()).command());
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
