package dev.arenakit.mapped.io;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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
            case "stack" -> new StackProbe(file).run();
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

    /// Leases windows at every depth near the end of the stack, beside a window that stays leased.
    private static final class StackProbe {
        private final Path file;
        private final MappedWindows windows;
        private final MappedWindow other;
        private int overflows;

        StackProbe(Path file) throws IOException {
            this.file = file;
            windows = WindowKind.CACHED_SHARED.builder(file).writable().open();
            windows.grow(100 * WindowKind.WINDOW);
            other = windows.lease(0, 8);
        }

        void run() throws IOException {
            int depth = 0;
            for (int trial = 1; trial < 1 << 20; trial += 1 + trial / 64) {
                if (overflowsAt(trial, 0)) {
                    depth = trial;
                    break;
                }
            }
            // The steps are smaller than the frames of the calls, since each frame of `descend` is.
            for (int spare = 0; spare < 400; spare++) {
                for (int number = 1; number < 4; number++) {
                    overflowsAt(depth - spare, number);
                    check();
                }
            }
            other.close();
            windows.close();
            System.out.println("overflows: " + (overflows > 30) + ", mapped: "
                    + Files.readString(Path.of("/proc/self/maps")).contains(file.toString()) + ", counted: "
                    + MappingLimit.used());
        }

        private boolean overflowsAt(int depth, int number) {
            try {
                descend(depth, number);
                return false;
            } catch (StackOverflowError _) {
                overflows++;
                return true;
            }
        }

        private void descend(int depth, int number) {
            if (depth > 0) {
                descend(depth - 1, number);
                return;
            }
            try (MappedWindow window = windows.lease(number * 2L * WindowKind.WINDOW, 16)) {
                MemorySegment segment = window.segment();
                segment.set(JAVA_LONG, 0, segment.get(JAVA_LONG, 0) + 1);
            }
        }

        /// The open lease is still mapped, and as many other windows as before can be leased at once.
        private void check() {
            other.segment().set(JAVA_LONG, 0, other.segment().get(JAVA_LONG, 0) + 1);
            try (MappedWindow second = windows.lease(10 * WindowKind.WINDOW, 16);
                    MappedWindow third = windows.lease(12 * WindowKind.WINDOW, 16);
                    MappedWindow fourth = windows.lease(14 * WindowKind.WINDOW, 16)) {
                second.segment().set(JAVA_LONG, 0, third.segment().get(JAVA_LONG, 0) + 1);
                fourth.segment().set(JAVA_LONG, 0, second.segment().get(JAVA_LONG, 0));
            }
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
