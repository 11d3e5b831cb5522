package dev.arenakit.examples.calls;

import dev.arenakit.examples.CCompiler;
import dev.arenakit.examples.calls.RingStructs.Completion;
import dev.arenakit.layout.RecordMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@EnabledOnOs(value = OS.LINUX, architectures = {"amd64", "aarch64"})
class IoUringTest {
    private static final int PAGE = 4096;

    @TempDir
    private Path directory;

    private static IoUring open(int entries) throws IOException {
        try {
            return IoUring.open(entries);
        } catch (UnsupportedOperationException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    private Path file(byte[] content) throws IOException {
        new Random(7).nextBytes(content);
        return Files.write(directory.resolve("file"), content);
    }

    @Test
    void close_withAReadInProgress_waitsForIt() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        CountDownLatch submitted = new CountDownLatch(1);
        AtomicBoolean written = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            try (OutputStream out = Files.newOutputStream(pipe)) {
                submitted.await();
                Thread.sleep(50); // Gives a close that does not wait the time to return.
                written.set(true);
                out.write(new byte[]{1, 2, 3});
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (NativeFile slow = NativeFile.open(pipe);
                NativeFile file = NativeFile.open(file(new byte[PAGE]));
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3);
            try (IoUring ring = open(4)) {
                ring.read(slow.descriptor(), 0, memory.address(), 3, 1);
                ring.read(file.descriptor(), 0, arena.allocate(PAGE).address(), PAGE, 2);
                assertThat(next(ring).tag()).isEqualTo(2);
                submitted.countDown();
            }
            assertThat(written).isTrue();
            assertThat(memory.toArray(JAVA_BYTE)).containsExactly(1, 2, 3);
        } finally {
            submitted.countDown();
            writer.join();
        }
    }

    @Test
    void close_withReadsThatWereNotSubmitted_dropsThem() throws IOException {
        byte[] content = new byte[PAGE];
        try (NativeFile file = NativeFile.open(file(content)); Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(content.length);
            IoUring ring = open(4);
            ring.read(file.descriptor(), 0, memory.address(), PAGE, 0);
            ring.close();
            assertThat(memory.toArray(JAVA_BYTE)).containsOnly(0);
            assertThatThrownBy(ring::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(ring::poll).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void read_whenTheRingIsFull_throwsAndChangesNothing() throws IOException {
        byte[] content = new byte[PAGE];
        try (NativeFile file = NativeFile.open(file(content));
                Arena arena = Arena.ofConfined();
                IoUring ring = open(2)) {
            MemorySegment memory = arena.allocate(content.length);
            ring.read(file.descriptor(), 0, memory.address(), 100, 5);
            ring.read(file.descriptor(), 100, memory.address() + 100, PAGE, 6);
            assertThat(ring.isFull()).isTrue();
            assertThatThrownBy(() -> ring.read(file.descriptor(), 0, memory.address(), PAGE, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The ring is full: entries=2");
            Completion first = next(ring);
            Completion second = next(ring);
            assertThat(List.of(first, second)).extracting(Completion::tag, Completion::result)
                    .containsExactlyInAnyOrder(tuple(5L, 100), tuple(6L, PAGE - 100));
            assertThat(memory.toArray(JAVA_BYTE)).isEqualTo(content);
            assertThat(ring.hasReads()).isFalse();
            assertThat(ring.poll()).isNull();
            ring.submit(); // There is nothing to wait for.
        }
    }

    private static Completion next(IoUring ring) throws IOException {
        while (true) {
            Completion completion = ring.poll();
            if (completion != null) {
                return completion;
            }
            ring.submit();
        }
    }

    @Test
    void read_ofADescriptorThatIsNotOpen_completesWithTheError() throws IOException {
        try (IoUring ring = open(2)) {
            ring.read(-1, 0, 0, PAGE, Long.MIN_VALUE);
            assertThat(next(ring)).isEqualTo(new Completion(Long.MIN_VALUE, -9, 0)); // EBADF
        }
    }

    @Test
    void anyMethod_onAnotherThread_throws() throws IOException {
        try (IoUring ring = open(2)) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(ring::close).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> ring.read(0, 0, 0, 1, 0)).join())
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThat(ring.hasReads()).isFalse();
        }
    }

    @Test
    void open_ofNoEntries_throwsWithTheErrorNumber() throws IOException {
        open(1).close();
        assertThatThrownBy(() -> IoUring.open(0)).isInstanceOf(IOException.class)
                .hasMessage("io_uring_setup has failed: entries=0, errno=22"); // EINVAL
    }

    @ParameterizedTest
    @CsvSource({"1,errno=EPERM; see the sysctl kernel.io_uring_disabled", "38,has no io_uring: errno=ENOSYS"})
    void open_whereTheKernelRefuses_saysWhy(int errno, String message) throws Exception {
        open(1).close();
        assertThatThrownBy(() -> Seccomp.runRefusing(425, errno, () -> IoUring.open(1).close()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(message);
        open(1).close();
    }

    /// The names of some members have changed, but not their places.
    private static final Set<String> RENAMED = Set.of("resv", "resv2", "file_index", "addr3", "__pad2");

    @Test
    void structs_areThoseOfTheHeader() throws Exception {
        StringBuilder program = new StringBuilder("#include <stddef.h>\n#include <linux/io_uring.h>\n");
        for (RecordMapper<?> mapper : List.of(RingStructs.PARAMETERS, RingStructs.SUBMISSIONS,
                RingStructs.COMPLETIONS)) {
            String name = mapper.type().name();
            program.append("_Static_assert(sizeof(struct %s) == %d, \"\");\n".formatted(name, mapper.byteSize()));
            mapper.type()
                    .members()
                    .stream()
                    .filter(member -> !RENAMED.contains(member.name()))
                    .forEach(member -> program.append("_Static_assert(offsetof(struct %s, %s) == %d, \"\");\n"
                            .formatted(name, member.name(), member.byteOffset())));
        }
        assertThat(program).contains("offsetof(struct io_uring_params, cq_off) == 80", "user_data) == 32");
        for (String member : List.of("head", "tail", "array")) {
            program.append("_Static_assert(offsetof(struct io_uring_params, sq_off.%s) == %d, \"\");\n"
                    .formatted(member, RingStructs.PARAMETERS.field("sq_off." + member).byteOffset()));
        }
        for (String member : List.of("head", "tail", "cqes")) {
            program.append("_Static_assert(offsetof(struct io_uring_params, cq_off.%s) == %d, \"\");\n"
                    .formatted(member, RingStructs.PARAMETERS.field("cq_off." + member).byteOffset()));
        }
        program.append("_Static_assert(IORING_OP_READ == 22 && IORING_OFF_SQES == 0x10000000 "
                + "&& IORING_ENTER_GETEVENTS == 1, \"\");\n");
        assumeTrue(Files.exists(Path.of("/usr/include/linux/io_uring.h")), "linux/io_uring.h is not installed");
        Files.writeString(directory.resolve("structs.c"), program);
        assertThat(CCompiler.run(directory, "-std=c11", "-fsyntax-only", "structs.c")).isEmpty();
    }
}
