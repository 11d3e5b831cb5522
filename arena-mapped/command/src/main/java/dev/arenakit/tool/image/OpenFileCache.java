package dev.arenakit.tool.image;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// A cache of open files. The few files that were used last stay open.
public final class OpenFileCache<F extends Closeable> implements Closeable {
    /// Opens a file by its number.
    @FunctionalInterface
    public interface Opener<F> {
        F open(int number) throws IOException;
    }

    /// Each thread of a program allocates from its own chunk, so that the allocations of this many threads alternate
    /// between files.
    private static final int CAPACITY = 16;

    private final Opener<F> opener;
    /// The files by their numbers, the least recently used one first.
    private final Map<Integer, F> files = new LinkedHashMap<>(CAPACITY, 0.75f, true);

    public OpenFileCache(Opener<F> opener) {
        this.opener = opener;
    }

    /// Returns a file, which stays open at least until the next call.
    public F get(int number) throws IOException {
        F open = files.get(number);
        if (open != null) {
            return open;
        }
        if (files.size() == CAPACITY) {
            Iterator<F> eldest = files.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
        F file = opener.open(number);
        files.put(number, file);
        return file;
    }

    @Override
    public void close() throws IOException {
        for (F file : files.values()) {
            file.close();
        }
    }
}
