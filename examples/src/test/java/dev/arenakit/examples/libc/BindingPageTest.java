package dev.arenakit.examples.libc;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.examples.CCompiler;
import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs the example of `docs/bindings.md`, and its program in C.
class BindingPageTest {
    private final Page page = Page.read(Path.of("..", "docs", "bindings.md"));

    @TempDir
    Path directory;

    BindingPageTest() throws IOException {}

    @Test
    void run_printsTheResultsOfTheCalls() throws IOException {
        CapturedOutput printed = new CapturedOutput();
        BindingExample.run(printed.stream());
        assertThat(printed.toString().replace("UTC", "GMT")).isEqualTo("""
                12345, then " apples"
                2001-09-09 01:46:40 GMT
                [Division { quot = 4, rem = 1 }, Division { quot = 3, rem = 2 }, Division { quot = 2, rem = 3 }, \
                Division { quot = 2, rem = 5 }]
                a copy
                """);
    }

    @Test
    void utc_yearThatExceedsAnInt_throws() {
        assertThatThrownBy(() -> BindingExample.utc(Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Year exceeds an int: seconds=9223372036854775807");
    }

    @Test
    void sort_orderThatThrows_throwsAfterTheCall() {
        IllegalStateException failure = new IllegalStateException();
        try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openConfined()) {
            MemorySegment divisions = arena.allocate(JAVA_INT, 20);
            assertThatThrownBy(() -> BindingExample.sort(divisions, (_, _) -> {
                throw failure;
            })).isSameAs(failure);
        }
    }

    @Test
    void openAndClose_failure_throwsByErrno() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> BindingExample.openAndClose(missing)).isInstanceOf(NoSuchFileException.class)
                .hasMessage(missing.toString());
        Path below = Files.createFile(directory.resolve("file")).resolve("below");
        assertThatThrownBy(() -> BindingExample.openAndClose(below)).isInstanceOf(IOException.class)
                .hasMessageEndingWith("open of " + below + " failed: errno=20, reason=Not a directory");
    }

    @Test
    void invokeExact_slabArenaWithoutACast_isOfAWrongType() throws Throwable {
        MemoryLayout pair = MemoryLayout.structLayout(JAVA_INT.withName("quot"), JAVA_INT.withName("rem"));
        Linker linker = Linker.nativeLinker();
        @SuppressWarnings("restricted")
        MethodHandle div = linker.downcallHandle(linker.defaultLookup().findOrThrow("div"),
                FunctionDescriptor.of(pair, JAVA_INT, JAVA_INT));
        try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openConfined()) {
            assertThatThrownBy(() -> {
                MemorySegment _ = (MemorySegment) div.invokeExact(arena, 7, 2);
            }).isInstanceOf(WrongMethodTypeException.class);
            MemorySegment result = (MemorySegment) div.invokeExact((SegmentAllocator) arena, 7, 2);
            assertThat(result.toArray(JAVA_INT)).containsExactly(3, 1);
        }
    }

    @Test
    void cBlock_comparesTheRecordWithTheStructOfTheLibrary() throws IOException {
        Files.writeString(directory.resolve("check.c"), page.blocks("c").getFirst());
        BindingExample.writeHeader(directory);
        assertThat(CCompiler.run(directory, "-fsyntax-only", "check.c")).isEmpty();
        Path header = directory.resolve("tm.h");
        Files.writeString(header, Files.readString(header).replace("tm_gmtoff, 40", "tm_gmtoff, 36"));
        assertThat(CCompiler.run(directory, "-fsyntax-only", "check.c")).contains("offset of tm.tm_gmtoff");
    }
}
