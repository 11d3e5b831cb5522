package dev.arenakit.arrow;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.arrow.internal.cdata.CDataState;
import dev.arenakit.collection.DoubleList;
import dev.arenakit.collection.IntList;
import dev.arenakit.collection.LongList;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Exports, leases and releases, with consumers that are written in Java.
class ArrowCTest {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            enum Kind : uint8_t { A = 1, };
            struct Point { int32_t x; enum Kind kind; char name[3]; };
            """);

    @TempDir
    private Path directory;

    @AfterEach
    void assertNothingRemains() {
        assertThat(CDataState.exports()).isZero();
        assertThat(CDataState.leases()).isZero();
    }

    private Arena open(String arena) {
        return switch (arena) {
            case "shared" -> Arena.ofShared();
            case "malloc" -> MallocArena.ofShared();
            case "slab" -> SlabPool.create().openShared();
            default -> InfiniteArena.ofShared(directory.resolve("image"));
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "malloc", "slab", "infinite"})
    void close_ofALeasedArena_throwsAndChangesNothing(String kind) {
        Arena arena = open(kind);
        MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 1, 2, 3);
        ArrowExport first = ArrowC.export(JAVA_LONG, numbers);
        ArrowExport second = ArrowC.export(JAVA_LONG, numbers.asSlice(8));
        for (int i = 0; i < 3; i++) {
            assertThatIllegalStateException().isThrownBy(arena::close);
        }
        first.close();
        assertThatIllegalStateException().isThrownBy(arena::close);
        assertThat(arena.allocateFrom(JAVA_LONG, 4).get(JAVA_LONG, 0)).isEqualTo(4);
        assertThat(new CArray(second).longs()).containsExactly(2, 3);
        second.close();
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> numbers.get(JAVA_LONG, 0));
    }

    @Test
    void export_ofLists_hasTheirValues() {
        try (IntList ints = IntList.owning(Arena::ofShared);
                LongList longs = LongList.owning(Arena::ofShared);
                DoubleList doubles = DoubleList.owning(Arena::ofShared)) {
            ints.addAll(1, -2);
            longs.addAll(1L << 40);
            try (ArrowExport ofInts = ArrowC.export(ints);
                    ArrowExport ofLongs = ArrowC.export(longs);
                    ArrowExport ofDoubles = ArrowC.export(doubles)) {
                assertThat(CDataState.leases()).isEqualTo(3);
                assertThat(new CArray(ofInts).format()).isEqualTo("i");
                assertThat(new CArray(ofInts).values().toArray(ValueLayout.JAVA_INT)).containsExactly(1, -2);
                assertThat(new CArray(ofLongs).format()).isEqualTo("l");
                assertThat(new CArray(ofLongs).longs()).containsExactly(1L << 40);
                assertThat(new CArray(ofDoubles).format()).isEqualTo("g");
                assertThat(new CArray(ofDoubles).length()).isZero();
            }
        }
    }

    @Test
    void export_ofNumbersOfAnyType_hasTheirFormat() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment numbers = arena.allocate(16, 8);
            List<ValueLayout> layouts = List.of(JAVA_BYTE, JAVA_SHORT, ValueLayout.JAVA_CHAR, ValueLayout.JAVA_INT,
                    JAVA_LONG, ValueLayout.JAVA_FLOAT, ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_LONG_UNALIGNED);
            for (int i = 0; i < layouts.size(); i++) {
                ValueLayout layout = layouts.get(i);
                try (ArrowExport export = ArrowC.export(layout, numbers)) {
                    CArray array = new CArray(export);
                    assertThat(array.format()).isEqualTo("csSilfgl".substring(i, i + 1));
                    assertThat(array.length()).isEqualTo(16 / layout.byteSize());
                    assertThat(array.values().address()).isEqualTo(numbers.address());
                }
            }
        }
    }

    @Test
    void export_ofMemoryThatCannotBeExported_isRefused() {
        MemorySegment heap = MemorySegment.ofArray(new long[2]);
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(JAVA_LONG, heap))
                .withMessageContaining("Memory is on the Java heap: ")
                .withMessageContaining("; copy it to native memory");
        try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
            MemorySegment numbers = shared.allocate(16, 8);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ArrowC.export(JAVA_LONG, confined.allocate(16, 8)))
                    .withMessageContaining("Memory is confined to a thread")
                    .withMessageEndingWith("; use a shared arena, or copy the memory to one");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ArrowC.stream(POINT, confined.allocate(POINT.layout())))
                    .withMessageContaining("Memory is confined to a thread");
            assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(JAVA_LONG, numbers.asSlice(0, 9)))
                    .withMessageContaining("segment.byteSize=9");
            assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(JAVA_LONG, numbers.asSlice(4, 8)))
                    .withMessageContaining("whole, aligned numbers");
            assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(swapped(), numbers))
                    .withMessageContaining("native byte order");
            assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(ValueLayout.JAVA_BOOLEAN, numbers))
                    .withMessageContaining("Layout is no number");
            assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.stream(POINT, numbers, 0))
                    .withMessage("Batch needs a row: batchRows=0");
        }
    }

    private static ValueLayout swapped() {
        return JAVA_LONG.withOrder(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void export_ofAClosedArena_throws() {
        Arena arena = Arena.ofShared();
        MemorySegment numbers = arena.allocate(16, 8);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> ArrowC.export(JAVA_LONG, numbers))
                .withMessage("Already closed");
        assertThatIllegalStateException().isThrownBy(() -> ArrowC.stream(POINT, numbers)).withMessage("Already closed");
    }

    @Test
    @Tag("full")
    void export_ofStructs_isIndependentOfTheirMemory() {
        ArrowExport export;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment points = arena.allocate(POINT.layout(), 1);
            points.set(JAVA_BYTE, Integer.BYTES, (byte) 1);
            points.set(JAVA_BYTE, Integer.BYTES + 1, (byte) 'n');
            export = ArrowC.export(POINT, points);
        }
        try (export) {
            assertThat(ArrowRows.of(export).rows()).containsExactly(List.of(0L, "A", "n"));
        }
    }

    @Test
    void export_ofMalformedStructs_leavesNothing() {
        MemorySegment points = MemorySegment.ofArray(new byte[2 * (int) POINT.byteSize()]);
        points.set(JAVA_BYTE, Integer.BYTES, (byte) 1);
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(POINT, points))
                .withMessageStartingWith("Value cannot be converted: row=1, field=kind, reason=");
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowC.export(POINT, points.asSlice(1)))
                .withMessageStartingWith("Segment does not consist of whole structs: ");
    }

    @Test
    @SuppressWarnings("restricted") // No machine has so much memory.
    void export_ofMoreStructsThanMemory_leavesNothing() {
        StructType type = LayoutText.parse("#pragma layout 2\nstruct Text { char text[1]; };");
        MemorySegment structs = MemorySegment.NULL.reinterpret(1L << 46);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> ArrowC.export(type, structs));
    }

    @Test
    void stream_ofStructsOnTheHeap_hasBatches() {
        MemorySegment points = MemorySegment.ofArray(new byte[5 * (int) POINT.byteSize()]);
        for (int i = 0; i < 5; i++) {
            points.set(JAVA_BYTE, i * POINT.byteSize() + Integer.BYTES, (byte) 1);
        }
        try (ArrowStream stream = ArrowC.stream(POINT, points, 2)) {
            ArrowRows read = ArrowRows.of(stream);
            assertThat(read.batches()).containsExactly(2, 2, 1);
            assertThat(read.schema().getCustomMetadata()).containsEntry("dev.arenakit.layout", LayoutText.print(POINT));
        }
        try (ArrowStream stream = ArrowC.stream(POINT, points.asSlice(0, 0))) {
            assertThat(ArrowRows.of(stream).batches()).isEmpty();
        }
    }

    @Test
    void close_ofAnUnusedStream_releasesItsLease() {
        Arena arena = Arena.ofShared();
        ArrowStream stream = ArrowC.stream(POINT, arena.allocate(POINT.layout(), 3));
        assertThatIllegalStateException().isThrownBy(arena::close);
        stream.close();
        stream.close();
        arena.close();
        assertThatIllegalStateException().isThrownBy(stream::address).withMessage("Already closed");
    }

    @Test
    void release_byConsumer_endsTheLeaseOnce() {
        Arena arena = Arena.ofShared();
        MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 1, 2);
        try (ArrowExport released = ArrowC.export(JAVA_LONG, numbers);
                ArrowExport other = ArrowC.export(JAVA_LONG, numbers)) {
            CArray array = new CArray(released);
            MemorySegment copy = arena.allocate(array.struct().byteSize(), 8).copyFrom(array.struct());
            for (int i = 0; i < 3; i++) {
                array.release();
                // A consumer that has forgotten that it has moved the struct.
                array.struct().copyFrom(copy);
            }
            array.release();
            assertThat(array.isReleased()).isTrue();
            assertThatIllegalStateException().isThrownBy(arena::close);
            assertThat(new CArray(other).longs()).containsExactly(1, 2);
        }
        arena.close();
    }

    @Test
    void export_thatIsClosed_hasNoAddresses() {
        try (LongList list = LongList.owning(Arena::ofShared)) {
            ArrowExport export = ArrowC.export(list);
            export.close();
            export.close();
            assertThatIllegalStateException().isThrownBy(export::arrayAddress).withMessage("Already closed");
            assertThatIllegalStateException().isThrownBy(export::schemaAddress).withMessage("Already closed");
        }
    }

    @Test
    void export_byAnInterruptedThread_remainsInterrupted() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment numbers = arena.allocate(16, 8);
            Thread.currentThread().interrupt();
            ArrowC.export(JAVA_LONG, numbers).close();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void export_byAVirtualThread_isReleasedByAnother() throws InterruptedException {
        Arena arena = Arena.ofShared();
        MemorySegment numbers = arena.allocate(16, 8);
        List<ArrowExport> exports = new ArrayList<>();
        Thread.ofVirtual().start(() -> exports.add(ArrowC.export(JAVA_LONG, numbers))).join();
        assertThatIllegalStateException().isThrownBy(arena::close);
        Thread.ofVirtual().start(() -> exports.getFirst().close()).join();
        arena.close();
    }

    @Test
    @SuppressWarnings("restricted") // A cleanup shows the end of memory.
    void memory_ofAnAutomaticArena_isReachableUntilTheRelease() throws InterruptedException {
        AtomicBoolean isFreed = new AtomicBoolean();
        ArrowExport export = exportAutomatic(isFreed);
        System.gc();
        Thread.sleep(20);
        assertThat(isFreed).isFalse();
        export.close();
        for (int i = 0; i < 500 && !isFreed.get(); i++) {
            System.gc();
            Thread.sleep(5);
        }
        assertThat(isFreed).isTrue();
    }

    @SuppressWarnings("restricted")
    private static ArrowExport exportAutomatic(AtomicBoolean isFreed) {
        Arena arena = Arena.ofAuto();
        MemorySegment numbers = arena.allocate(16, 8);
        return ArrowC.export(JAVA_LONG, numbers.reinterpret(Arena.ofAuto(), _ -> isFreed.set(true)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"owning", "block", "bound"})
    void list_thatChangesWhileItIsExported_keepsTheMemoryOfTheConsumer(String kind) {
        Arena arena = Arena.ofShared();
        // Overwrites the blocks that are freed.
        DebugArena blocks = DebugArena.wrap(Arena.ofShared(), DebugOptions.canaries());
        LongList list = switch (kind) {
            case "owning" -> LongList.owning(Arena::ofShared);
            case "block" -> LongList.create(blocks);
            default -> LongList.create(arena);
        };
        for (long i = 0; i < 16; i++) {
            list.add(i);
        }
        ArrowExport export = ArrowC.export(list);
        CArray array = new CArray(export);
        long[] values = array.longs();
        for (long i = 0; i < 10_000; i++) {
            list.add(-1);
            if (list.size() % 100 == 0) {
                list.truncate(50);
                list.shrink();
                list.ensureCapacity(200);
            }
        }
        assertThat(array.longs()).isEqualTo(values);
        export.close();
        list.add(-1);
        list.close();
        blocks.close();
        arena.close();
    }

    @Test
    void close_ofAListThatIsExported_throwsUntilTheRelease() {
        try (MallocArena malloc = MallocArena.ofShared()) {
            LongList list = LongList.create(malloc);
            list.add(7);
            ArrowExport export = ArrowC.export(list);
            assertThatIllegalStateException().isThrownBy(list::close).withMessageContaining("in use");
            assertThat(new CArray(export).longs()).containsExactly(7);
            export.close();
            list.close();
        }
    }

    @Test
    void exports_byManyThreads_leaveNothing() throws Exception {
        Arena arena = Arena.ofShared();
        MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 1, 2, 3);
        Threads.race(4, _ -> {
            for (int i = 0; i < 200; i++) {
                try (ArrowExport export = ArrowC.export(JAVA_LONG, numbers)) {
                    new CArray(export).release();
                }
            }
        });
        arena.close();
    }

    @Test
    @Tag("full")
    void exports_ofTwentyThousand_leaveNoMemory() throws IOException, InterruptedException {
        assertNoGrowth(20_000, 100);
    }

    @Test
    @Tag("slow")
    void exports_ofAMillion_leaveNoMemory() throws IOException, InterruptedException {
        assertNoGrowth(1_000_000, 10_000);
    }

    /// @param leases the number of exports that have a lease of their own
    private static void assertNoGrowth(int exports, int leases) throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.granted("-Xms64m", "-XX:+AlwaysPreTouch")
                .run(Growth.class, Integer.toString(exports), Integer.toString(leases));
        assertThat(result.exitCode()).as(result.output()).isZero();
        // An export takes 1.5 KB. The JVM's own memory grows by some megabytes.
        assertThat(Long.parseLong(result.output().replaceAll("\\D", ""))).isLessThan(16L << 20);
    }

    static final class Growth {
        private Growth() {}

        public static void main(String[] arguments) throws IOException {
            int exports = Integer.parseInt(arguments[0]);
            int leases = Integer.parseInt(arguments[1]);
            try (Arena arena = Arena.ofShared()) {
                MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 1, 2, 3);
                MemorySegment points = arena.allocate(POINT.layout(), 10);
                for (int i = 0; i < 10; i++) {
                    points.set(JAVA_BYTE, i * POINT.byteSize() + Integer.BYTES, (byte) 1);
                }
                exportAll(numbers, points, exports / 10, leases / 10);
                long before = residentBytes();
                exportAll(numbers, points, exports, leases);
                System.out.println("grown by " + Math.max(residentBytes() - before, 0));
            }
            System.exit(CDataState.exports() + CDataState.leases());
        }

        private static void exportAll(MemorySegment numbers, MemorySegment points, int exports, int leases) {
            for (int i = 0; i < leases; i++) {
                ArrowC.export(JAVA_LONG, numbers).close();
            }
            try (ArrowExport _ = ArrowC.export(JAVA_LONG, numbers)) {
                for (int i = 0; i < exports; i++) {
                    try (ArrowExport export = i % 8 == 0
                            ? ArrowC.export(POINT, points)
                            : ArrowC.export(JAVA_LONG, numbers)) {
                        new CArray(export).release();
                    }
                }
            }
        }

        private static long residentBytes() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/status"))
                    .stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void export_withoutNativeAccess_namesTheFlag() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.denied().run(Denied.class);
        assertThat(result.output()).contains("IllegalCallerException: Native access is denied: ")
                .contains("--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void argument_thatIsNull_isRefused() {
        assertThatThrownBy(() -> ArrowC.export(JAVA_LONG, nullValue())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> ArrowC.stream(POINT, nullValue())).isInstanceOf(NullPointerException.class);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nullValue() {
        return null;
    }

    static final class Denied {
        private Denied() {}

        public static void main(String[] arguments) {
            try (Arena arena = Arena.ofShared()) {
                ArrowC.export(JAVA_LONG, arena.allocate(16, 8)).close();
            } catch (IllegalCallerException e) {
                System.out.println(e);
            }
        }
    }
}
