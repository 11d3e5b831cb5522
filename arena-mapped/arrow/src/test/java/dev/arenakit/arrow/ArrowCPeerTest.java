package dev.arenakit.arrow;

import dev.arenakit.MallocArena;
import dev.arenakit.arrow.internal.cdata.CDataState;
import dev.arenakit.collection.LongList;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// A consumer in C moves what it gets, and releases it in threads that Java does not know.
@EnabledOnOs(OS.LINUX)
@Tag("full")
class ArrowCPeerTest {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            enum Kind : uint8_t { A = 1, B = 2, };
            struct Point { int32_t x; enum Kind kind; char name[3]; };
            """);
    private static final int EINVAL = 22;
    private final Arena arena = Arena.ofShared();
    private final ArrowPeer peer;
    private final Path directory;

    ArrowCPeerTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        peer = ArrowPeer.load(directory, arena);
    }

    @AfterEach
    void close() {
        arena.close();
        assertThat(CDataState.exports()).isZero();
        assertThat(CDataState.leases()).isZero();
    }

    @Test
    void members_haveTheOffsetsOfTheSpecification() {
        MemorySegment found = arena.allocate(JAVA_LONG, 15);
        long _ = peer.call("peer_layout", found.address());
        assertThat(found.toArray(JAVA_LONG)).isEqualTo(CDataState.layout());
    }

    @Test
    void export_ofAList_isReadByAConsumer() {
        try (LongList list = LongList.owning(MallocArena::ofShared)) {
            for (long i = 0; i < 1000; i++) {
                list.add(i);
            }
            try (ArrowExport export = ArrowC.export(list)) {
                assertThat(peer.call("peer_sum", export.schemaAddress(), export.arrayAddress())).isEqualTo(499_500);
            }
        }
    }

    @Test
    void child_thatWasMoved_outlivesItsParent() {
        try (ArrowExport export = ArrowC.export(POINT, points(3))) {
            long child = peer.call("peer_keep_child", export.arrayAddress(), 0);
            assertThat(child).isNotZero();
            // The schema and the array.
            assertThat(CDataState.exports()).isEqualTo(2);
            assertThat(peer.call("peer_int32", child, 2)).isEqualTo(2);
            assertThat(peer.call("peer_end", child)).isEqualTo(1);
            assertThat(CDataState.exports()).isEqualTo(1);
        }
    }

    @Test
    void stream_isReleasedBeforeItsBatches() {
        try (ArrowStream stream = ArrowC.stream(POINT, points(100), 7)) {
            assertThat(rows(stream, arena.allocate(1))).isEqualTo(100);
        }
    }

    @Test
    void stream_withAMalformedValue_returnsItsMessage() {
        MemorySegment points = points(30);
        points.set(JAVA_BYTE, 20 * POINT.byteSize() + Integer.BYTES, (byte) 9);
        MemorySegment message = arena.allocate(200);
        try (ArrowStream stream = ArrowC.stream(POINT, points, 7)) {
            assertThat(rows(stream, message)).isEqualTo(-EINVAL);
        }
        assertThat(message.getString(0)).startsWith("Value cannot be converted: row=20, field=kind, reason=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"return", "exit"})
    void release_afterTheJvmHasEnded_needsNoJava(String end) {
        ChildJvm.Result child = ChildJvm.granted().run(LateReleaseChild.class, directory.toString(), end);
        assertThat(child.output()).isEqualTo("""
                l 7 8 22 22 no message
                1 1 1
                """);
        assertThat(child.exitCode()).isZero();
    }

    private long rows(ArrowStream stream, MemorySegment message) {
        return peer.call("peer_rows", stream.address(), message.address(), message.byteSize());
    }

    private MemorySegment points(int count) {
        MemorySegment points = arena.allocate(POINT.layout(), count);
        for (int i = 0; i < count; i++) {
            points.set(JAVA_INT, i * POINT.byteSize(), i);
            points.set(JAVA_BYTE, i * POINT.byteSize() + Integer.BYTES, (byte) (1 + i % 2));
        }
        return points;
    }

    /// A program whose consumer releases exports after the JVM has ended. The arguments are the directory of the consumer,
    /// and the way in which the JVM ends.
    static final class LateReleaseChild {
        private LateReleaseChild() {}

        public static void main(String[] arguments) {
            ArrowPeer peer = ArrowPeer.open(Path.of(arguments[0]), Arena.global());
            MemorySegment numbers = Arena.ofShared().allocateFrom(JAVA_LONG, 7, 8);
            ArrowExport export = ArrowC.export(JAVA_LONG, numbers);
            ArrowStream stream = ArrowC.stream(
                    LayoutText.parse("#pragma layout 2\nstruct Number { int64_t n; };"), numbers);
            long _ = peer.call("peer_keep", export.schemaAddress(), export.arrayAddress(), stream.address());
            if (arguments[1].equals("exit")) {
                System.exit(0);
            }
        }
    }
}
