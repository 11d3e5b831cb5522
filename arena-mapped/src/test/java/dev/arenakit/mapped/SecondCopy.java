package dev.arenakit.mapped;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A copy of the library in this process, which another class loader has loaded.
final class SecondCopy {
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
