package dev.arenakit;

import dev.arenakit.internal.malloc.ConfinedMallocArena;
import dev.arenakit.internal.pool.ArenaFrame;
import dev.arenakit.internal.pool.BumpSlabArena;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The compiled code of the arenas is small enough for C2 to inline it, in a program that uses all of their slow paths.
///
/// C2 inlines a compiled method of up to 2,500 bytes (`InlineSmallCode`). Without inlining, an arena and its segments
/// are objects on the heap.
///
/// Where shared arenas are closed too, the `close` of a JDK arena alone has 1,900 to 2,300 bytes. The compiled `close`
/// of our arenas calls it instead of containing it.
@Tag("full")
class CompiledSizeTest {
    private static final int LARGEST = 2_300;

    private static final Set<String> ALLOCATE = Set.of(method(BumpSlabArena.class, "allocate"),
            method(ArenaFrame.class, "allocate"), method(ConfinedMallocArena.class, "allocate"));
    private static final String CLOSE_SLAB_ARENA = method(BumpSlabArena.class, "close");
    private static final String CLOSE_MALLOC_ARENA = method(ConfinedMallocArena.class, "close");
    private static final Set<String> OPEN = Set.of(method(SlabPool.class, "openConfined"),
            method(ConfinedMallocArena.class, "open"));
    private static final Set<String> OPEN_AND_CLOSE = Stream
            .concat(OPEN.stream(), Stream.of(CLOSE_SLAB_ARENA, method(ArenaFrame.class, "close"), CLOSE_MALLOC_ARENA))
            .collect(Collectors.toUnmodifiableSet());

    private static final Pattern NMETHOD = Pattern
            .compile("<nmethod .*level='4'.* insts_offset='(\\d+)' stub_offset='(\\d+)'.* method='(dev\\.arenakit\\."
                    + "[\\w.]+)(?:[+/]0x\\w+)?( \\w+) .*");

    /// The name of a method in the log. The class declares the method, so that a renamed method does not look like a
    /// method that is inlined everywhere.
    private static String method(Class<?> declaring, String name) {
        assertThat(declaring.getDeclaredMethods()).as("%s", declaring).extracting(Method::getName).contains(name);
        return declaring.getName() + " " + name;
    }

    @Test
    void allMethods_afterAllSlowPathsOfConfinedArenas_areSmallEnoughToInline(@TempDir Path directory)
            throws IOException {
        Map<String, Integer> sizes = sizesAfter(directory);
        assertThat(sizes).containsKeys(ALLOCATE.toArray(String[]::new))
                .containsKey(CLOSE_SLAB_ARENA)
                .containsKey(CLOSE_MALLOC_ARENA);
        assertSmall(sizes, ALLOCATE);
        assertSmall(sizes, OPEN_AND_CLOSE);
    }

    @Test
    void allMethods_afterSharedArenasToo_areSmallEnoughToInline(@TempDir Path directory) throws IOException {
        Map<String, Integer> sizes = sizesAfter(directory, "shared");
        assertSmall(sizes, ALLOCATE);
        assertSmall(sizes, OPEN_AND_CLOSE);
    }

    /// The class of references is a hidden copy for each struct, and so is the class of tables, which calls a generated
    /// class.
    @ParameterizedTest
    @CsvSource({"REFERENCES, internal.layout.value.RefTemplate, offsetIn follow",
            "COLUMNS_10x32, layout.ColumnTableTemplate, get append", "COLUMNS_10x32, TradeInColumns, read write"})
    void methodsOfGeneratedClasses_afterGarbageSession_areSmallEnoughToInline(GarbageSession session, String type,
            String methods, @TempDir Path directory) throws IOException {
        Map<String, Integer> sizes = sizesAfter(directory, GarbageSession.class, session.name());
        assertSmall(sizes, Stream.of(methods.split(" "))
                .map(method -> "dev.arenakit." + type + " " + method)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /// A method that is inlined everywhere is not compiled on its own, and has no size; this is not so for all of them.
    private static void assertSmall(Map<String, Integer> sizes, Set<String> methods) {
        assertThat(sizes.keySet()).containsAnyElementsOf(methods);
        assertThat(methods).allSatisfy(
                method -> assertThat(sizes.getOrDefault(method, 0)).as(method).isLessThanOrEqualTo(LARGEST));
    }

    private static Map<String, Integer> sizesAfter(Path directory, String... uses) throws IOException {
        return sizesAfter(directory, MixedSession.class, uses);
    }

    private static Map<String, Integer> sizesAfter(Path directory, Class<?> program, String... uses)
            throws IOException {
        Path log = directory.resolve("compilation.xml");
        ChildJvm.Result result = ChildJvm
                .onClassPath("--enable-native-access=ALL-UNNAMED", ChildJvm.OPTIMIZING, "-Xbatch",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:+LogCompilation", "-XX:LogFile=" + log)
                .run(program, uses);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return largestSizes(log);
    }

    /// The largest size of the code of each method, over all its compilations by C2.
    private static Map<String, Integer> largestSizes(Path log) throws IOException {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
            Matcher matcher = NMETHOD.matcher(line);
            if (matcher.matches()) {
                int size = Integer.parseInt(matcher.group(2)) - Integer.parseInt(matcher.group(1));
                sizes.merge(Objects.requireNonNull(matcher.group(3)) + matcher.group(4), size, Math::max);
            }
        }
        return sizes;
    }
}
