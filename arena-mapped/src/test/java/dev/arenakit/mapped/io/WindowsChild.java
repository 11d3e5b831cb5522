package dev.arenakit.mapped.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Scenarios of windows that tests run in a process of their own.
final class WindowsChild {
    private static final long WINDOW = 256L << 20;

    private WindowsChild() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "limit" -> limit(file);
            case "truncated" -> truncated(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static MappedWindows open(Path file) throws IOException {
        return MappedWindows.builder(file).writable().windowByteSize(WINDOW).maxByteSize(1_024 * WINDOW).open();
    }

    /// Exhausts the address space, first with idle windows and then with leased ones.
    private static void limit(Path file) throws IOException {
        try (MappedWindows windows = open(file)) {
            windows.grow(1_000 * WINDOW);
            for (long i = 0; i < 1_000; i++) {
                windows.lease(i * WINDOW, 8).close();
            }
            System.out.println("all were mapped, idle windows: " + windows.mappedByteSize() / WINDOW);
            Deque<MappedWindow> leases = new ArrayDeque<>();
            try {
                for (long i = 0; i < 1_000; i++) {
                    leases.add(windows.lease(i * WINDOW, WINDOW));
                }
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
            System.out.println("leases: " + leases.size());
            leases.removeFirst().close();
            windows.lease(WINDOW * 999, 8).close();
            leases.forEach(MappedWindow::close);
        }
    }

    /// Reads beyond the end of a file that was truncated.
    private static void truncated(Path file) throws IOException {
        try (MappedWindows windows = open(file)) {
            windows.grow(WINDOW);
            try (MappedWindow window = windows.lease(0, WINDOW)) {
                MemorySegment segment = window.segment();
                segment.set(JAVA_LONG, 0, 42);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(1 << 20);
                }
                System.out.println("before the end: " + segment.get(JAVA_LONG, 0));
                System.out.println("beyond the end: " + segment.get(JAVA_LONG, 1 << 21));
            }
        }
    }
}
