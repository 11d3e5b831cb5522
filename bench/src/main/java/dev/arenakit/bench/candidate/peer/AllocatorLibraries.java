package dev.arenakit.bench.candidate.peer;

import dev.arenakit.NativeAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Finds mimalloc and jemalloc in the directories where distributions install shared libraries.
public final class AllocatorLibraries {
    private static final List<String> DIRECTORIES = List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/homebrew/lib");

    private AllocatorLibraries() {}

    /// {@return the file names of the installed libraries, which contain the version}
    public static List<String> fileNames() {
        return Stream.<Supplier<Path>>of(AllocatorLibraries::mimallocPath, AllocatorLibraries::jemallocPath)
                .flatMap(path -> fileName(path).stream())
                .toList();
    }

    private static Optional<String> fileName(Supplier<Path> path) {
        try {
            return Optional.of(String.valueOf(path.get().toRealPath().getFileName()));
        } catch (UnavailableException | IOException e) {
            return Optional.empty();
        }
    }

    /// {@return the functions of mimalloc}
    public static NativeAllocator mimalloc() {
        return load(mimallocPath(), NativeAllocator::mimalloc);
    }

    static NativeAllocator jemalloc() {
        return load(jemallocPath(), NativeAllocator::jemalloc);
    }

    static Path mimallocPath() {
        return find("mimalloc", "libmimalloc2.0", "libmimalloc.so.2", "libmimalloc.so.3", "libmimalloc.so",
                "libmimalloc.dylib");
    }

    static Path jemallocPath() {
        return find("jemalloc", "libjemalloc2", "libjemalloc.so.2", "libjemalloc.so", "libjemalloc.dylib");
    }

    private static Path find(String name, String debianPackage, String... files) {
        return DIRECTORIES.stream()
                .flatMap(directory -> Stream.of(files).map(file -> Path.of(directory, file)))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new UnavailableException(
                        name + " is not installed; on Debian it is the package " + debianPackage));
    }

    private static NativeAllocator load(Path library, Function<Path, NativeAllocator> loader) {
        try {
            return loader.apply(library);
        } catch (IllegalArgumentException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()));
        }
    }
}
