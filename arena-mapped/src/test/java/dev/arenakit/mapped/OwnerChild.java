package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/// Scenarios that tests of owners, users and full disks run in a process of their own.
public final class OwnerChild {
    private static final int BUILDERS = 4;

    private OwnerChild() {}

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        Path path = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "hold" -> hold(path, Boolean.parseBoolean(arguments[2]));
            case "share-lock" -> shareLock(path);
            case "build-all" -> buildAll(path);
            case "open-or-create" -> openOrCreate(path);
            case "mode" -> mode(path);
            case "full-disk" -> fullDisk(path);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Owns an image by an arena that the program has no reference to, and tries to own it by another copy of the
    /// library.
    private static void hold(Path base, boolean readsFiles) throws Exception {
        MemorySegment memory = InfiniteArena.ofShared(base).names().allocate("held", JAVA_INT, 1);
        for (int i = 0; i < 5; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        memory.set(JAVA_INT, 0, 1);
        if (readsFiles) {
            for (Path file : List.of(ImageFiles.lock(base), ImageFiles.catalog(base), ImageFiles.data(base, 0))) {
                Files.readAllBytes(file);
            }
        }
        System.out.println("held");
        System.in.read();
        for (int i = 0; i < 2; i++) {
            System.out.println(SecondCopy.reopen(base));
        }
        TimeUnit.MINUTES.sleep(1);
    }

    /// Holds a shared lock on a file, as anybody can who may read it.
    private static void shareLock(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
            System.out.println("held");
            System.in.read();
        }
    }

    /// Builds images by several threads until the process is killed.
    private static void buildAll(Path directory) {
        InfiniteArena.ofConfined(directory.resolve("first"));
        System.out.println("building");
        for (int thread = 0; thread < BUILDERS; thread++) {
            int first = thread;
            Thread.ofPlatform().start(() -> {
                for (int i = first;; i += BUILDERS) {
                    InfiniteArena.ofConfined(directory.resolve("image" + i));
                }
            });
        }
    }

    /// Opens or creates an image when its directory has a file `go`, and prints whether that succeeded.
    private static void openOrCreate(Path base) throws IOException {
        // Everything that is used later is loaded now.
        InfiniteArena.builder(base.resolveSibling("warm" + ProcessHandle.current().pid())).openOrCreate().close();
        System.out.println("ready");
        while (!Files.exists(base.resolveSibling("go"))) {
            Thread.onSpinWait();
        }
        try {
            InfiniteArena.builder(base).openOrCreate();
            System.out.println("owned");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.in.read();
    }

    /// Makes an image that its group may read.
    private static void mode(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base)
                .fileMode(PosixFilePermissions.fromString("rw-r-----"))
                .build()) {
            arena.names().allocate("a", JAVA_INT, 1);
        }
    }

    /// Does all that needs space on a disk that is full.
    private static void fullDisk(Path directory) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("memory"))) {
            MemorySegment memory = arena.names().allocate("a", JAVA_INT, 1);
            Path ballast = directory.resolve("ballast");
            failure(() -> Files.write(ballast, new byte[1 << 20]));
            System.out.println(failure(() -> arena.allocateFrom("x".repeat(100_000))));
            System.out.println(failure(() -> arena.allocateFrom(JAVA_INT, new int[100_000])));
            System.out.println(failure(() -> InfiniteArena.ofShared(directory.resolve("other"))));
            System.out.println(failure(() -> InfiniteArena.builder(directory.resolve("other")).openOrCreate()));
            for (int i = 0; i < 1000; i++) {
                int number = i;
                Optional<Throwable> failure = failure(() -> Files.createFile(directory.resolve("inode" + number)));
                if (failure.isPresent()) {
                    break;
                }
            }
            System.out.println(failure(() -> arena.allocate(1)));
            Files.delete(ballast);
            memory.set(JAVA_INT, 0, 42);
            System.out.println(arena.allocateFrom("there is space again").getString(0));
        }
        System.out.println(TestFileSystem.names(directory).stream().filter(name -> name.startsWith("other")).toList());
    }

    private static Optional<Throwable> failure(Callable<?> action) {
        try {
            action.call();
            return Optional.empty();
        } catch (Throwable t) {
            return Optional.of(t);
        }
    }

    /// A copy of the library in this process, which another class loader has loaded.
    static final class SecondCopy {
        private SecondCopy() {}

        /// Reopens an image by the copy, and returns the message of the failure, or `reopened`.
        static String reopen(Path base) throws IOException, ReflectiveOperationException {
            List<URL> path = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                path.add(Path.of(entry).toUri().toURL());
            }
            try (URLClassLoader loader = new URLClassLoader(path.toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader())) {
                Class<?> arena = loader.loadClass("dev.arenakit.mapped.InfiniteArena");
                Object builder = arena.getMethod("builder", Path.class).invoke(null, base);
                try {
                    ((AutoCloseable) builder.getClass().getMethod("reopen").invoke(builder)).close();
                    return "reopened";
                } catch (InvocationTargetException e) {
                    return String.valueOf(e.getCause());
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        }
    }
}
