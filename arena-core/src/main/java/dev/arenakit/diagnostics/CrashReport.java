package dev.arenakit.diagnostics;

import dev.arenakit.internal.diagnostics.debug.BlockFileReader;
import dev.arenakit.internal.diagnostics.debug.CrashFile;
import dev.arenakit.internal.diagnostics.debug.GuardHit;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Tells which block of a [DebugArena] a process accessed when it was terminated at a guard page.
///
/// It joins the crash file of the JVM, which has the address of the access and its stack, with the block files of the
/// arenas, which have the addresses of blocks and the stacks of their allocations. Run it by hand:
///
/// ```
/// java -cp arena-core.jar dev.arenakit.diagnostics.CrashReport hs_err_pid1234.log
/// ```
///
/// or let the JVM run it when it is terminated, with the option
/// `-XX:OnError="java -cp arena-core.jar dev.arenakit.diagnostics.CrashReport hs_err_pid%p.log"`. The block files are
/// looked for in the directory of the crash file. Other files, or their directories, are further arguments. A file in a
/// directory that cannot be read, such as the file of another user, is named in the report and left out.
///
/// The exit code is 0 if the block was found, 1 if not, and 2 if an argument is missing or cannot be read.
public final class CrashReport {
    private CrashReport() {}

    /// Prints the report.
    ///
    /// @param arguments the crash file, and block files or directories of block files
    @SuppressWarnings("SystemOut") // A program that prints.
    public static void main(String[] arguments) {
        if (arguments.length == 0 || arguments[0].equals("--help")) {
            System.err.println("Usage: CrashReport hs_err_pidN.log [block file or directory] ...");
            System.exit(2);
        }
        try {
            GuardHit hit = find(Path.of(arguments[0]), Arrays.stream(arguments).skip(1).map(Path::of).toList());
            System.out.print(hit);
            System.exit(hit.isFound() ? 0 : 1);
        } catch (IOException | InvalidPathException e) {
            System.err.println("File cannot be read: " + e);
            System.exit(2);
        }
    }

    /// Returns the report as text.
    ///
    /// @param crashFile  the file that the JVM wrote (`hs_err_pidN.log`)
    /// @param blockFiles block files, or directories of block files; if it is empty, the directory of the crash file
    /// @return the report, which says so if no block is at the address
    /// @throws IOException if one of these files cannot be read, or the first one is no crash file
    public static String of(Path crashFile, List<Path> blockFiles) throws IOException {
        return find(crashFile, blockFiles).toString();
    }

    private static GuardHit find(Path crashFile, List<Path> blockFiles) throws IOException {
        CrashFile crash = CrashFile.read(crashFile);
        List<Path> places = blockFiles.isEmpty() ? List.of(crash.directory()) : blockFiles;
        return GuardHit.of(crash, BlockFileReader.read(places, crash.pid()));
    }
}
