package dev.arenakit.internal.diagnostics.debug;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The block file of a debug arena: text to which each allocation and each free is appended by a system call, before
/// the caller continues. It therefore survives the death of the process.
///
/// ```
/// arenakit blocks 1 pid=1234 started=1764079200000
/// allocated block=1 address=0x7f03c4000fa0 byteSize=96 byteAlignment=8 start=… end=… memory=… … thread=main
///     at Frame.method(Frame.java:12)
/// freed block=1 thread=main
///     at Frame.method(Frame.java:13)
/// closed thread=main
///     at Frame.method(Frame.java:14)
/// ```
///
/// The last entry belongs to all blocks. Only a file in the [Quarantine] has it: other files end with their arena.
///
/// A mapped file would kill the process when the disk is full. A stream of a file is not closed by an interrupt, as a
/// channel is. Not thread-safe.
final class BlockFile {
    static final String HEADER = "arenakit blocks 1 ";
    static final String ALLOCATED = "allocated block=";
    static final String FREED = "freed block=";
    static final String CLOSED = "closed";
    static final String AT = "\tat ";

    private final Path directory;
    private @Nullable Path path;
    private @Nullable OutputStream stream;

    BlockFile(Path directory) {
        this.directory = directory;
    }

    /// The start of the names of the files of a process.
    static String prefix(long pid) {
        return "debug_blocks_pid" + pid + "_";
    }

    void allocated(DebugBlock block) {
        BlockPlace place = block.place;
        append(ALLOCATED + block.number + hex("address", place.address()) + " byteSize=" + place.byteSize()
                + " byteAlignment=" + place.byteAlignment() + hex("start", place.start()) + hex("end", place.end())
                + hex("memory", place.memory()) + hex("memoryEnd", place.memoryEnd()), block.allocated);
    }

    void freed(DebugBlock block, BlockSite site) {
        append(FREED + block.number, site);
    }

    /// Writes that the arena is closed, and writes nothing more. A failure is ignored: the report then lacks this fact.
    void closed(BlockSite site) {
        try (OutputStream _ = stream) {
            append(CLOSED, site);
        } catch (IOException | UncheckedIOException _) {
            // The memory must be released all the same.
        }
    }

    private static String hex(String name, long value) {
        return " " + name + "=0x" + Long.toHexString(value);
    }

    private void append(String line, BlockSite site) {
        StringBuilder text = new StringBuilder(line).append(" thread=")
                .append(Thread.currentThread().getName().replace('\n', ' ').replace('\r', ' '))
                .append('\n');
        for (StackTraceElement frame : site.trimmed().getStackTrace()) {
            text.append(AT).append(frame).append('\n');
        }
        try {
            open().write(text.toString().getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Block file of a debug arena cannot be written: directory="
                    + directory.toAbsolutePath() + "; choose another directory by DebugOptions.withBlockFilesIn, or "
                    + "use withoutBlockFiles", e);
        }
    }

    private OutputStream open() throws IOException {
        OutputStream open = stream;
        if (open == null) {
            Path created = create();
            // Before it is written, so that delete() finds it.
            path = created;
            open = new FileOutputStream(created.toFile(), true);
            stream = open;
            ProcessHandle process = ProcessHandle.current();
            open.write((HEADER + "pid=" + process.pid() + " started="
                    + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L) + "\n").getBytes(UTF_8));
        }
        return open;
    }

    private Path create() throws IOException {
        String prefix = prefix(ProcessHandle.current().pid());
        while (true) {
            try {
                Path file = directory.resolve(prefix + Quarantine.nextFile() + ".txt");
                return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? Files.createFile(file, PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))
                        : Files.createFile(file);
            } catch (FileAlreadyExistsException _) {
                // The file of another arena, or of an earlier process with the same number. Try the next one.
            }
        }
    }

    /// Deletes the file when the process ends well. If it is terminated by an access, the file remains.
    void deleteAtTheEnd() {
        if (path != null) {
            try {
                // The JDK keeps the name alone: a hook of this library would keep its class loader.
                path.toFile().deleteOnExit();
            } catch (IllegalStateException e) {
                // The process is ending.
                delete();
            }
        }
    }

    /// Deletes the file. A failure is ignored: the file only remains.
    void delete() {
        try (OutputStream _ = stream) {
            if (path != null) {
                Files.deleteIfExists(path);
            }
        } catch (IOException _) {
            stream = null;
        }
    }
}
