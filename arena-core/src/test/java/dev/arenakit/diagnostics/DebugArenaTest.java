package dev.arenakit.diagnostics;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.MallocArena;
import dev.arenakit.diagnostics.DebugOptions.Guard;
import dev.arenakit.internal.Memory;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.internal.nativecall.NativeCalls;
import dev.arenakit.internal.scope.Scopes;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class DebugArenaTest {
    private static final int MOST_GUARDED = 5_000;

    private static void assumePages() {
        assumeTrue(PageMappings.isSupported(), "needs guard pages");
    }

    private static DebugOptions options(Guard guard) {
        if (guard != Guard.CANARIES) {
            assumePages();
        }
        return new DebugOptions(guard, true, Optional.empty(), 0);
    }

    private static DebugArena open(Guard guard) {
        return DebugArena.wrap(Arena.ofConfined(), options(guard));
    }

    /// A memset of 8 bytes too many: the alignment of 16 leaves 12 bytes before the guard page.
    private static void overrun(MemorySegment segment) {
        NativeCalls.zero(segment.address(), segment.byteSize() + 8);
    }

    @ParameterizedTest
    @EnumSource(Guard.class)
    void close_afterAMemsetOf8BytesTooMany_throwsWithOffsetAndBytes(Guard guard) {
        DebugArena arena = open(guard);
        arena.allocate(50, 1);
        MemorySegment segment = arena.allocate(100, 16);
        overrun(segment);
        assertThatExceptionOfType(CorruptedBlockException.class).isThrownBy(arena::close)
                .withMessageStartingWith(
                        "Memory behind a block was overwritten: offset=100, found=00 00 00 00 00 00 00 00 fd fd fd fd")
                .withMessageContaining("expected=fd, address=0x" + Long.toHexString(segment.address())
                        + ", byteSize=100, byteAlignment=16, block=2; ")
                .satisfies(e -> {
                    assertThat(e.offset()).isEqualTo(100);
                    assertThat(e.address()).isEqualTo(segment.address());
                    assertThat(e.getCause()).hasMessage("Block 2 was allocated by thread "
                            + Thread.currentThread().getName());
                    assertThat(Objects.requireNonNull(e.getCause()).getStackTrace()[0].getMethodName())
                            .isEqualTo("close_afterAMemsetOf8BytesTooMany_throwsWithOffsetAndBytes");
                });
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class).hasMessage("Already closed");
    }

    @ParameterizedTest
    @EnumSource(value = Guard.class, names = "CANARIES", mode = EnumSource.Mode.EXCLUDE)
    void close_afterAnOverrun_releasesEverythingBeforeItThrows(Guard guard, @TempDir Path directory)
            throws IOException {
        DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options(guard).withBlockFilesIn(directory));
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            blocks.add(arena.allocate(100, 16));
            overrun(blocks.get(i));
        }
        assertThat(mapped(blocks)).isEqualTo(10);
        assertThatThrownBy(arena::close).isInstanceOf(CorruptedBlockException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(9));
        assertThat(mapped(blocks)).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    /// In a JVM of its own, which the C library may abort.
    @ParameterizedTest
    @ValueSource(strings = {"close", "check"})
    @Tag("full")
    void close_afterAWriteFarBehindTheBlock_isLoggedAndThrown(String method) {
        ChildJvm.Result result = ChildJvm.granted().run(FarOverrun.class, method);
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).contains("WARNING: Memory behind a block was overwritten: offset=4000, found=00 00",
                "Caused by: dev.arenakit.internal.diagnostics.debug.BlockSite: Block 1 was allocated by thread main")
                .endsWith("thrown at 4000, and 1 more\n".repeat(16));
    }

    /// Overwrites 96 bytes behind a block of 4,000, and what is there.
    static final class FarOverrun {
        public static void main(String[] arguments) {
            List<CorruptedBlockException> thrown = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                try (DebugArena arena = open(Guard.CANARIES)) {
                    MemorySegment block = arena.allocate(4_000, 8);
                    arena.allocate(24, 8);
                    NativeCalls.zero(block.address(), 4_096);
                    if (arguments[0].equals("check")) {
                        arena.check();
                    }
                } catch (CorruptedBlockException e) {
                    thrown.add(e);
                }
            }
            thrown.forEach(e -> System.out.println(
                    "thrown at " + e.offset() + ", and " + e.getSuppressed().length + " more"));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Guard.class, names = "BEHIND", mode = EnumSource.Mode.EXCLUDE)
    void close_afterASystemCallThatReadsTooMuch_throws(Guard guard, @TempDir Path directory) throws IOException {
        assumePages();
        for (int byteSize : new int[]{4_000, (int) PageMappings.pageByteSize()}) {
            Path file = Files.write(directory.resolve("file"), new byte[byteSize + 96]);
            DebugArena arena = open(guard);
            MemorySegment block = arena.allocate(byteSize, 8);
            arena.allocate(100, 8);
            try (FileChannel channel = FileChannel.open(file)) {
                // As C code would call pread.
                ByteBuffer buffer = Memory.segment(block.address(), byteSize + 64).asByteBuffer();
                assertThat(channel.read(buffer)).isEqualTo(byteSize + 64);
            }
            assertThatThrownBy(arena::close).isInstanceOf(CorruptedBlockException.class)
                    .hasMessageStartingWith("Memory behind a block was overwritten: offset=" + byteSize);
        }
    }

    /// How many blocks are in a mapping of their own.
    private static long mapped(List<MemorySegment> blocks) throws IOException {
        String maps = Files.readString(Path.of("/proc/self/maps"));
        return blocks.stream()
                .map(block -> Long.toHexString(block.address() & -PageMappings.pageByteSize()))
                .filter(page -> maps.contains(page + "-"))
                .count();
    }

    @ParameterizedTest
    @EnumSource(Guard.class)
    void free_afterAMemsetOf8BytesTooMany_throwsOnceAndFreesTheBlock(Guard guard) {
        DebugArena arena = open(guard);
        MemorySegment segment = arena.allocate(100, 16);
        overrun(segment);
        assertThatThrownBy(() -> arena.free(segment)).isInstanceOf(CorruptedBlockException.class);
        assertThat(segment.get(JAVA_BYTE, 0)).isEqualTo((byte) 0xDF);
        assertThatCode(arena::close).doesNotThrowAnyException();
    }

    @Test
    void close_afterWritesBeforeAndBehindAndInAFreedBlock_reportsEach() {
        DebugArena arena = open(Guard.CANARIES);
        MemorySegment segment = arena.allocate(40, 8);
        arena.free(segment);
        Memory.putLong(segment.address() - 8, 1);
        Memory.putLong(segment.address() + 16, 1);
        overrun(segment);
        assertThatThrownBy(arena::close)
                .hasMessageStartingWith("Memory behind a block was overwritten: offset=40")
                .satisfies(e -> assertThat(e.getSuppressed()).extracting(Throwable::getMessage)
                        .satisfiesExactly(
                                message -> assertThat(message)
                                        .startsWith("Memory before a block was overwritten: offset=-8"),
                                message -> assertThat(message)
                                        .startsWith("A freed block was overwritten: offset=0")));
    }

    @ParameterizedTest
    @EnumSource(Guard.class)
    void close_afterAWriteToAFreedBlock_throwsWithBothStacks(Guard guard) {
        DebugArena arena = open(guard);
        MemorySegment segment = arena.allocate(40, 8);
        arena.free(segment);
        segment.set(JAVA_BYTE, 17, (byte) 1);
        assertThatThrownBy(arena::close).isInstanceOf(CorruptedBlockException.class)
                .hasMessageStartingWith("A freed block was overwritten: offset=17, found=01 df df")
                .cause()
                .hasMessageStartingWith("Block 1 was freed by thread ")
                .cause()
                .hasMessageStartingWith("Block 1 was allocated by thread ");
    }

    @Test
    void close_whenACleanupThrowsAfterAnOverrun_throwsBoth() {
        MallocArena wrapped = MallocArena.ofConfined();
        DebugArena arena = DebugArena.wrap(wrapped, options(Guard.CANARIES));
        overrun(arena.allocate(10, 1));
        RuntimeException fault = new UnsupportedOperationException("from a cleanup");
        MemorySegment _ = Scopes.withCleanup(MemorySegment.NULL, 1, wrapped, _ -> {
            throw fault;
        });
        assertThatThrownBy(arena::close).isSameAs(fault)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement()
                        .isInstanceOf(CorruptedBlockException.class));
    }

    @Test
    void allocate_unzeroed_isFilledWithAKnownByte() {
        for (Guard guard : Guard.values()) {
            try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options(guard).unzeroed())) {
                assertThat(arena.allocate(3, 1).toArray(JAVA_BYTE)).containsOnly(0xCD);
            }
        }
    }

    @Test
    void free_again_isRejectedWithTheStackOfTheFirst() {
        try (DebugArena arena = open(Guard.BEHIND)) {
            MemorySegment segment = arena.allocate(24, 8);
            assertThatThrownBy(() -> arena.free(segment.asSlice(8))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.free(segment.asSlice(0, 8))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.free(segment.asReadOnly())).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.free(MemorySegment.ofAddress(segment.address())))
                    .isInstanceOf(IllegalArgumentException.class);
            arena.free(segment);
            assertThatThrownBy(() -> arena.free(segment)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Block was freed before: address=0x")
                    .cause()
                    .hasMessageStartingWith("Block 1 was freed by thread ");
        }
    }

    @Test
    void reallocate_keepsTheBytesAndFreesTheOldBlock() {
        try (DebugArena arena = open(Guard.BEHIND)) {
            MemorySegment small = arena.allocateFrom("0123456789");
            MemorySegment large = arena.reallocate(small, 100);
            assertThat(large.getString(0)).isEqualTo("0123456789");
            assertThat(large.get(JAVA_BYTE, 99)).isZero();
            assertThat(small.get(JAVA_BYTE, 0)).isEqualTo((byte) 0xDF);
            assertThat(arena.reallocate(large, 4).toArray(JAVA_BYTE)).isEqualTo("0123".getBytes(US_ASCII));
        }
    }

    @Test
    void reallocate_afterAnOverrun_throwsAndFreesBoth() {
        try (DebugArena arena = open(Guard.CANARIES)) {
            MemorySegment segment = arena.allocate(10, 1);
            overrun(segment);
            assertThatThrownBy(() -> arena.reallocate(segment, 20)).isInstanceOf(CorruptedBlockException.class);
            assertThatThrownBy(() -> arena.free(segment)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void allocate_beyondTheLimitOfGuardedBlocks_isRefusedWithTheRemedyAndGivesBackEverything() throws IOException {
        try (DebugArena first = open(Guard.BEHIND)) {
            first.allocate(1);
        }
        long before = mappings();
        try (DebugArena arena = open(Guard.BEHIND)) {
            for (int i = 0; i < MOST_GUARDED; i++) {
                arena.allocate(1);
            }
            long full = mappings();
            assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(CapacityExceededException.class)
                    .hasMessage("Too many blocks with guard pages: limit=5000, used=5000, requested=1; close debug "
                            + "arenas sooner, wrap fewer arenas, or use DebugOptions.canaries()");
            assertThat(mappings()).isBetween(full - 10, full + 10);
        }
        assertThat(mappings()).isBetween(before - 10, before + 10);
    }

    @ParameterizedTest
    @EnumSource(Guard.class)
    void check_ofEachSizeAndAlignment_findsTheBytesNextToTheBlock(Guard guard) {
        assumePages();
        long page = PageMappings.pageByteSize();
        try (DebugArena arena = open(guard)) {
            for (long byteAlignment : new long[]{1, 8, 64, page / 2, page, 2 * page}) {
                for (long byteSize : new long[]{0, 1, page - 1, page, page + 1}) {
                    MemorySegment block = arena.allocate(byteSize, byteAlignment);
                    assertThat(block.address() % byteAlignment).isZero();
                    arena.check();
                    // Where the block does not end at a page, there is no guard.
                    if (guard != Guard.BEHIND || (block.address() + byteSize) % page != 0) {
                        assertFinds(arena, block, byteSize);
                    }
                    if (guard != Guard.BEFORE) {
                        assertFinds(arena, block, -64);
                    }
                }
            }
        }
    }

    private static void assertFinds(DebugArena arena, MemorySegment block, long offset) {
        Memory.segment(block.address() + offset, 1).set(JAVA_BYTE, 0, (byte) 1);
        assertThatExceptionOfType(CorruptedBlockException.class).isThrownBy(arena::check).satisfies(e -> {
            assertThat(e.address()).isEqualTo(block.address());
            assertThat(e.offset()).isEqualTo(offset);
            assertThat(e.getSuppressed()).isEmpty();
        });
    }

    @Test
    void blockFile_ofAnArena_hasEachCallBeforeItReturnsAndEndsWithTheArena(@TempDir Path directory)
            throws IOException {
        Thread.currentThread().interrupt();
        try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(),
                options(Guard.BEHIND).withBlockFilesIn(directory))) {
            assertThat(directory).isEmptyDirectory();
            MemorySegment segment = arena.allocate(96, 8);
            String text = onlyFile(directory);
            assertThat(text).contains("arenakit blocks 1 pid=" + ProcessHandle.current().pid() + " started=",
                    "\nallocated block=1 address=0x" + Long.toHexString(segment.address())
                            + " byteSize=96 byteAlignment=8 ",
                    " thread=" + Thread.currentThread().getName() + "\n",
                    "\tat ", DebugArenaTest.class.getName() + ".blockFile_ofAnArena_");
            assertThat(text).doesNotContain("freed block");
            arena.free(segment);
            assertThat(onlyFile(directory)).contains("\nfreed block=1 thread=");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(directory).isEmptyDirectory();
    }

    private static String onlyFile(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return Files.readString(all.getFirst());
        }
    }

    /// The quarantine belongs to the process: the arenas of other tests are never in it.
    @Test
    void quarantine_ofClosedArenas_keepsTheAddressesOfTheLastOnes(@TempDir Path directory) throws IOException {
        DebugOptions options = options(Guard.BEHIND).withBlockFilesIn(directory).withQuarantine(1 << 20);
        List<Long> addresses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options)) {
                addresses.add(arena.allocate(300_000, 8).fill((byte) 1).address());
            }
        }
        // Each takes 303,104 bytes and two guard pages: three of them fit. The last one may have the address of the first.
        assertThat(addresses.subList(2, 5)).map(address -> mappingOf(address, 300_000)).containsOnly("---p");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(3)
                    .allSatisfy(file -> assertThat(file).content().contains("\nclosed thread=", "\tat "));
        }
        try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options.withQuarantine(1))) {
            arena.allocate(8);
        }
        assertThat(addresses).map(address -> mappingOf(address, 300_000)).containsOnly("");
        assertThat(directory).isEmptyDirectory();
    }

    /// A device writes to the pages of a pending system call, whatever their protection is: as `/proc/self/mem` does.
    @Test
    void checkQuarantine_afterALateWriteToAClosedArena_throwsOnceWithTheBlock() throws IOException {
        DebugOptions options = options(Guard.BEHIND).withQuarantine(1 << 20);
        long address = allocateAndClose(options);
        DebugArena.checkQuarantine();
        writeLate(address + 8);
        assertThatExceptionOfType(CorruptedBlockException.class).isThrownBy(DebugArena::checkQuarantine)
                .withMessageStartingWith("A block of a closed arena was overwritten: offset=8, found=01 df df")
                .satisfies(e -> assertThat(Objects.requireNonNull(e.getCause()).getStackTrace()[0].getMethodName())
                        .isEqualTo("allocateAndClose"));
        assertThat(mappingOf(address, 4_000)).isEqualTo("---p");
        DebugArena.checkQuarantine();
        writeLate(address - 8);
        assertThatThrownBy(DebugArena::checkQuarantine).hasMessageStartingWith("Memory before a block was overwritten");
        allocateAndClose(options.withQuarantine(1));
    }

    private static long allocateAndClose(DebugOptions options) {
        try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options)) {
            return arena.allocate(4_000, 8).address();
        }
    }

    private static void writeLate(long address) throws IOException {
        try (RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "rw")) {
            memory.seek(address);
            memory.write(1);
        }
    }

    /// In a JVM of its own, whose warnings nothing else makes.
    @Test
    void quarantine_thatABlockLeavesAfterALateWrite_logsIt() {
        assumePages();
        assertThat(ChildJvm.granted().run(LateWrite.class).output())
                .contains("WARNING: A block of a closed arena was overwritten: offset=8, found=01 df df",
                        "DebugArenaTest.allocateAndClose(");
    }

    /// Writes to a block of a closed arena, and fills the quarantine.
    static final class LateWrite {
        private LateWrite() {}

        public static void main(String[] arguments) throws IOException {
            DebugOptions options = DebugOptions.behind().withoutBlockFiles().withQuarantine(1 << 20);
            writeLate(allocateAndClose(options) + 8);
            allocateAndClose(options.withQuarantine(1));
        }
    }

    /// The access to the whole range, such as `rw-p`, or nothing if it is not mapped as a whole.
    private static String mappingOf(long address, long byteSize) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.map(line -> line.split("[- ]", 3))
                    .filter(
                            fields -> Long.parseUnsignedLong(fields[0], 16) <= address
                                    && Long.parseUnsignedLong(fields[1], 16) >= address + byteSize)
                    .map(fields -> fields[2].substring(0, 4))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Tag("full")
    void quarantine_ofManyBlocks_keepsALimitedNumberOfMappings() throws IOException {
        DebugOptions options = options(Guard.BEHIND).withQuarantine(Long.MAX_VALUE);
        long before = mappings();
        for (int i = 0; i < 30; i++) {
            try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options)) {
                for (int block = 0; block < 400; block++) {
                    arena.allocate(8);
                }
            }
        }
        assertThat(mappings() - before).isLessThan(MOST_GUARDED + 1_000);
        DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options.withQuarantine(1));
        arena.allocate(8);
        arena.close();
        assertThat(mappings() - before).isLessThan(100);
    }

    @Test
    void withQuarantine_thatCannotBe_isRefused() {
        assertThatThrownBy(() -> DebugOptions.canaries().withQuarantine(1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "A quarantine needs guard pages: guard=CANARIES, quarantineByteSize=1; use behind() or before()");
        assertThatThrownBy(() -> DebugOptions.behind().withQuarantine(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Quarantine is negative: quarantineByteSize=-1");
    }

    @Test
    void allocate_withoutTheDirectoryOfBlockFiles_isRefusedWithTheRemedy(@TempDir Path directory) throws IOException {
        Path missing = directory.resolve("missing");
        try (DebugArena arena = DebugArena.wrap(Arena.ofConfined(), options(Guard.BEHIND).withBlockFilesIn(missing))) {
            assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("directory=" + missing)
                    .hasMessageContaining("DebugOptions.withBlockFilesIn");
            Files.createDirectory(missing);
            arena.allocate(8);
        }
    }

    @Test
    void wrap_ofAnAutomaticArena_cannotBeClosedAndSaysSo() {
        DebugArena arena = DebugArena.wrap(Arena.ofAuto(), options(Guard.CANARIES));
        MemorySegment segment = arena.allocate(8);
        assertThatThrownBy(arena::close).isInstanceOf(UnsupportedOperationException.class);
        assertThat(segment.get(JAVA_BYTE, 0)).isZero();
    }

    private static long mappings() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/maps")));
        return lines.size();
    }
}
