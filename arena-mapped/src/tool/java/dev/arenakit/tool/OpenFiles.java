package dev.arenakit.tool;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Files that stay open for those who ask again, a few at a time.
final class OpenFiles<F extends Closeable> implements Closeable {
    /// Opens a file by its number.
    @FunctionalInterface
    interface Opener<F> {
        F open(int number) throws IOException;
    }

    /// As many files as threads may well be cutting allocations out of at a time.
    private static final int MOST = 16;

    private final Opener<F> opener;
    /// By their numbers, the one that was used last at the end.
    private final Map<Integer, F> files = new LinkedHashMap<>(MOST, 0.75f, true);

    OpenFiles(Opener<F> opener) {
        this.opener = opener;
    }

    /// A file, open at least until another is asked for.
    F get(int number) throws IOException {
        F open = files.get(number);
        if (open != null) {
            return open;
        }
        if (files.size() == MOST) {
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
