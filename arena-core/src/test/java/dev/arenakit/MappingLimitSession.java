package dev.arenakit;

import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.NativeAccess;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Opens arenas until one is refused for its mappings, closes them, and does so again. Other mappings, which take no
/// memory, have most of the limit.
final class MappingLimitSession {
    private static final int LEFT = 200;

    public static void main(String[] arguments) throws IOException {
        Supplier<Arena> source = arguments[0].equals("FreeListArena")
                ? FreeListArena::ofConfined
                : () -> DebugArena.wrap(Arena.ofConfined(), DebugOptions.behind().withoutBlockFiles());
        NativeAccess.require();
        List<Long> others = new ArrayList<>();
        for (long other = map(); other != 0; other = map()) {
            others.add(other);
        }
        assertThatThrownBy(PageMappings::checkLimit).satisfies(e -> System.out.println(e.getMessage()));
        others.subList(0, LEFT).forEach(other -> PageMappings.release(other, PageMappings.pageByteSize()));
        openUntilRefused(source);
        openUntilRefused(source);
        others.subList(LEFT, others.size()).forEach(other -> PageMappings.release(other, PageMappings.pageByteSize()));
        System.out.println(mappings() < 1_000 ? "given back" : "mappings " + mappings());
    }

    private static long map() {
        return PageMappings.map(PageMappings.pageByteSize(), 1, false);
    }

    private static void openUntilRefused(Supplier<Arena> source) throws IOException {
        List<Arena> arenas = new ArrayList<>();
        try {
            while (true) {
                Arena arena = source.get();
                arenas.add(arena);
                arena.allocate(8);
            }
        } catch (CapacityExceededException e) {
            boolean isFull = e.used() >= e.limit() - 1 && mappings() < e.limit() + 1_000;
            System.out.println((isFull ? "refused after " : "wrong " + e.getMessage()) + arenas.size());
        } finally {
            arenas.forEach(Arena::close);
        }
    }

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.count();
        }
    }
}
