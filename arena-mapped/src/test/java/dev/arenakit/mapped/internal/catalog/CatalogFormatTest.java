package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.AllocationPart;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageIntegrity;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.internal.files.PageSize;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the bytes of a catalog at the offsets that [CatalogFormat] documents, without using its constants.
class CatalogFormatTest extends InDirectory {
    private static final String TYPE = "#pragma layout 2\n\nstruct {\n    int32_t value;\n};\n";

    private final Instant start = Instant.now();
    private final Path catalog = directory.resolve("memory.catalog");

    @BeforeEach
    void makeImage() {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 20).build()) {
            arena.allocate(100, 16);
            arena.allocate(3, 8);
            arena.names().allocate("néw", JAVA_INT, 25);
            arena.names().allocate("none", JAVA_INT, 0);
            arena.names().free("néw");
        }
    }

    private ByteBuffer bytes() throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void header_ofAKnownImage_isAsDocumented() throws IOException {
        ByteBuffer bytes = bytes();
        byte[] magic = new byte[8];
        bytes.get(0, magic);

        assertThat(magic).isEqualTo(new byte[]{(byte) 0x89, 'A', 'R', 'E', 'N', 'A', '\r', '\n'});
        assertThat(bytes.getInt(8)).as("version").isEqualTo(3);
        assertThat(bytes.getInt(12)).as("line size").isEqualTo(64);
        assertThat(bytes.getInt(16)).as("byte order")
                .isEqualTo(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 2);
        assertThat(bytes.getInt(20)).as("page size").isEqualTo((int) PageSize.BYTES);
        assertThat(bytes.getInt(24)).as("chunked").isEqualTo(1);
        assertThat(bytes.getInt(28)).as("full").isZero();
        assertThat(bytes.getLong(32)).as("chunk size").isEqualTo(1 << 20);
        assertIsNow(bytes.getLong(40));
        assertThat(bytes.getLong(48)).as("zero").isZero();
        assertThat(bytes.getLong(56)).as("checksum").isNotZero();
        assertThat(bytes.getLong(64) & ((1L << 48) - 1)).as("high-water mark")
                .isPositive()
                .matches(end -> end % 64 == 0);
        assertThat(bytes.getLong(64) >>> 48).as("generation").isZero();
        assertThat(bytes.getInt(72)).as("data files").isEqualTo(1);
        for (int at = 76; at < 128; at += 4) {
            assertThat(bytes.getInt(at)).isZero();
        }
    }

    @Test
    void entries_ofAKnownImage_areAsDocumented() throws IOException {
        ByteBuffer bytes = bytes();
        int end = bytes.getInt(64);
        List<Integer> kinds = new ArrayList<>();
        List<Integer> allocations = new ArrayList<>();
        int owner = 0;
        int run = 0;
        for (int at = 128; at < end; at += lines(bytes, at) * 64) {
            assertThat(bytes.getInt(at)).as("sequence").isEqualTo(at / 64);
            int kind = bytes.get(at + 8);
            kinds.add(kind);
            switch (kind) {
                case 6 -> run = at;
                case 1 -> allocations.add(at);
                case 2 -> assertFile(bytes, at);
                case 3 -> owner = at;
                default -> assertThat(bytes.getInt(at + 4)).as("state").isEqualTo(1);
            }
        }

        assertThat(kinds).as("JVM, owner; file, run; name, type; name").containsExactly(4, 3, 2, 6, 4, 4, 1, 4, 1);
        assertOwner(bytes, owner);
        assertRun(bytes, run);
        assertAllocation(bytes, allocations.get(0), 2, 0, 1 << 14, 100, 2, "néw", TYPE);
        assertIsNow(bytes.getLong(allocations.get(0) + 32));
        assertThat(bytes.getLong(allocations.get(0) + 40)).isEqualTo(Thread.currentThread().threadId());
        assertAllocation(bytes, allocations.get(1), 1, -1, 0, 0, 2, "none", TYPE);
        assertThat(bytes.getInt(allocations.get(1) + 52)).as("the text stands there once")
                .isEqualTo(bytes.getInt(allocations.get(0) + 52));
        for (int at = end; at < bytes.capacity(); at++) {
            assertThat(bytes.get(at)).isZero();
        }
    }

    @Test
    void wholeFiles_areAsDocumented() throws IOException {
        Path other = directory.resolve("other");
        CatalogWriter written;
        int line;
        try (Arena arena = Arena.ofConfined()) {
            written = CatalogWriter.create(other, arena, CatalogLevel.SIZES, 0, FileMode.OWNER_ONLY);
            line = written.reserve();
            written.addWhole(line, 3, (5L << 43) + 7, 1L << 43, 4096, CatalogEntry.Text.NONE,
                    CatalogEntry.Text.NONE);
        }
        written.close(List.of());

        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("other.catalog")))
                .order(ByteOrder.LITTLE_ENDIAN);
        int at = line * 64;
        assertThat(bytes.get(at + 8)).as("kind").isEqualTo((byte) 7);
        assertThat(bytes.get(at + 9)).as("alignment").isEqualTo((byte) 12);
        assertThat(bytes.get(at + 10)).as("part size").isEqualTo((byte) 43);
        assertThat(bytes.getInt(at + 12)).as("file").isEqualTo(3);
        assertThat(bytes.getLong(at + 24)).as("largest size").isEqualTo((5L << 43) + 7);
        long size = bytes.getLong(at + 16);
        assertThat(size & ((1L << 48) - 1)).as("size").isEqualTo((5L << 43) + 7);
        long y = (((5L << 43) + 7) ^ ((at + 16) / 8 * 0x9e3779b97f4a7c15L)) * 0xbf58476d1ce4e5b9L;
        assertThat(size >>> 48).as("check").isEqualTo(((y ^ (y >>> 32)) * 0x94d049bb133111ebL) >>> 48);
        using(ArenaImage.open(other), image -> assertThat(image.allocations().toList().getFirst().parts()).hasSize(6)
                .startsWith(new AllocationPart(3, 0, 1L << 43))
                .endsWith(new AllocationPart(8, 0, 7)));
        bytes.put(at + 17, (byte) 1);
        Files.write(directory.resolve("other.catalog"), bytes.array());
        try (ArenaImage image = ArenaImage.open(other)) {
            assertThat(image.allocations()).isEmpty();
            assertThat(image.integrity().problems().map(ImageIntegrity.Problem::description))
                    .anyMatch(problem -> problem.startsWith("Records are damaged"));
        }
    }

    @Test
    void growable_isAsDocumented() throws IOException {
        Path other = directory.resolve("other");
        CatalogWriter written;
        int line;
        try (Arena arena = Arena.ofConfined()) {
            written = CatalogWriter.create(other, arena, CatalogLevel.SIZES, 0, FileMode.OWNER_ONLY);
            ElementCounts counts = new ElementCounts(written, 0x1234);
            line = counts.reserve();
            counts.add(line, 3, 6L << 43, 1L << 43, 4096, CatalogEntry.Text.NONE, CatalogEntry.Text.NONE);
            written.records().grow(line, 0, 5L << 43);
            counts.set(line, 777);
            counts.setForced(counts.unforced());
            counts.set(line, 888);
        }
        written.close(List.of());

        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("other.catalog")))
                .order(ByteOrder.LITTLE_ENDIAN);
        int at = line * 64;
        assertThat(bytes.get(at + 8)).as("kind").isEqualTo((byte) 8);
        assertThat(bytes.getLong(at + 16) & ((1L << 48) - 1)).as("size").isEqualTo(5L << 43);
        assertThat(bytes.getLong(at + 24)).as("largest size").isEqualTo(6L << 43);
        assertThat(bytes.getInt(at - 64)).as("sequence of the count").isEqualTo(line - 1);
        assertThat(bytes.get(at - 56)).as("kind of the count").isEqualTo((byte) 9);
        assertValue(bytes, at - 48, 888);
        assertValue(bytes, at - 40, 777);
        assertThat(bytes.getLong(at - 32)).as("boot").isEqualTo(0x1234);
        using(ArenaImage.open(other), image -> assertThat(image.allocations().map(Allocation::elementCount))
                .containsExactly(OptionalLong.of(777)));
    }

    private static void assertValue(ByteBuffer bytes, int at, long value) {
        assertThat(bytes.getLong(at) & ((1L << 48) - 1)).isEqualTo(value);
        long y = (value ^ (at / 8 * 0x9e3779b97f4a7c15L)) * 0xbf58476d1ce4e5b9L;
        assertThat(bytes.getLong(at) >>> 48).as("check").isEqualTo(((y ^ (y >>> 32)) * 0x94d049bb133111ebL) >>> 48);
    }

    @Test
    void bootId_isTheChecksumOfTheText() throws IOException {
        Path id = Files.writeString(directory.resolve("boot_id"), "7e9a6c8a-0c3f-4c5e-9d2e-3a4b5c6d7e8f\n");
        assertThat(BootId.read(id)).isEqualTo(CatalogFormat.checksum(Files.readString(id).strip().getBytes(UTF_8)));
        assertThat(BootId.read(directory.resolve("none"))).isEqualTo(BootId.UNKNOWN);
    }

    private static int lines(ByteBuffer bytes, int at) {
        return switch (bytes.get(at + 8)) {
            case 4 -> Math.ceilDiv(24 + bytes.getInt(at + 12), 64);
            case 6 -> bytes.getShort(at + 10);
            default -> 1;
        };
    }

    private static void assertRun(ByteBuffer bytes, int at) {
        assertThat(bytes.getInt(at + 4)).as("slots that were used, and 1").isEqualTo(3);
        assertThat(bytes.getShort(at + 10)).as("lines").isEqualTo((short) 2);
        assertThat(bytes.getInt(at + 12)).as("file").isZero();
        assertThat(bytes.getLong(at + 16)).as("offset").isZero();
        assertThat(bytes.getLong(at + 24)).as("size").isEqualTo(1 << 14);
        assertThat(bytes.getLong(at + 32)).as("time").isZero();
        assertThat(bytes.getLong(at + 40)).as("thread").isZero();
        assertThat(bytes.getInt(at + 48)).as("base address").isBetween(0, (2 << 20) - (int) PageSize.BYTES);
        assertSlot(bytes, at + 64, 100, 4, 0);
        assertSlot(bytes, at + 72, 3, 3, 104);
        assertThat(bytes.getLong(at + 80)).as("unused").isZero();
    }

    private static void assertSlot(ByteBuffer bytes, int at, long size, long alignment, long offset) {
        long slot = bytes.getLong(at);
        assertThat(slot & ((1L << 41) - 1)).as("size").isEqualTo(size);
        assertThat((slot >>> 41) & 31).as("alignment").isEqualTo(alignment);
        assertThat((slot >>> 46) & 3).as("state").isEqualTo(1);
        long y = ((slot & ((1L << 46) - 1)) ^ (at / 8 * 0x9e3779b97f4a7c15L)) * 0xbf58476d1ce4e5b9L + offset;
        assertThat(slot >>> 48).as("check").isEqualTo((((y ^ (y >>> 32)) * 0x94d049bb133111ebL) >>> 48) ^ 0x5a5a);
    }

    private static void assertFile(ByteBuffer bytes, int at) {
        assertThat(bytes.getInt(at + 12)).as("file").isZero();
        assertThat(bytes.getInt(at + 4)).as("state").isEqualTo(1);
        long size = bytes.getLong(at + 16);
        assertThat(size & ((1L << 48) - 1)).as("size").isEqualTo(1 << 20);
        assertThat(bytes.getLong(at + 24)).as("old size").isZero();
    }

    private void assertOwner(ByteBuffer bytes, int at) {
        assertThat(bytes.getInt(at + 4)).as("state").isEqualTo(2);
        assertThat(bytes.getLong(at + 16)).as("pid").isEqualTo(ProcessHandle.current().pid());
        Instant started = ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH);
        assertThat(bytes.getLong(at + 24)).as("started").isEqualTo(nanos(started));
        assertIsNow(bytes.getLong(at + 32));
        assertThat(text(bytes, bytes.getInt(at + 48))).contains(System.getProperty("java.vm.name"));
    }

    private static void assertAllocation(ByteBuffer bytes, int at, int state, int file, long offset, long size,
            int alignment, String name, String type) {
        assertThat(bytes.getInt(at + 4)).as("state").isEqualTo(state);
        assertThat(bytes.get(at + 9)).as("alignment").isEqualTo((byte) alignment);
        assertThat(bytes.getShort(at + 10)).as("zero").isZero();
        assertThat(bytes.getInt(at + 12)).as("file").isEqualTo(file);
        assertThat(bytes.getLong(at + 16)).as("offset").isEqualTo(offset);
        assertThat(bytes.getLong(at + 24)).as("size").isEqualTo(size);
        assertThat(text(bytes, bytes.getInt(at + 48))).as("name").isEqualTo(name);
        assertThat(text(bytes, bytes.getInt(at + 52))).as("type").isEqualTo(type);
    }

    private static String text(ByteBuffer bytes, int line) {
        if (line == 0) {
            return "";
        }
        byte[] text = new byte[bytes.getInt(line * 64 + 12)];
        bytes.get(line * 64 + 24, text);
        return new String(text, UTF_8);
    }

    private void assertIsNow(long nanos) {
        assertThat(Instant.EPOCH.plusNanos(nanos)).isBetween(start.minusSeconds(1), Instant.now().plusSeconds(1));
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000 + time.getNano();
    }

    @Test
    void open_ofALaterVersion_saysWhichIsSupported() throws IOException {
        byte[] bytes = Files.readAllBytes(catalog);
        bytes[8] = 4;
        Files.write(catalog, bytes);

        assertThatThrownBy(() -> ArenaImage.open(base)).isInstanceOf(IOException.class)
                .hasMessageContaining("version=4, supported=1..3")
                .hasMessageContaining("path=" + catalog);
        assertThatThrownBy(() -> InfiniteArena.builder(base).reopen())
                .hasMessageContaining("version=4, supported=1..3");
        assertThat(Files.readAllBytes(catalog)).isEqualTo(bytes);
    }

    @Test
    void open_ofAnotherFile_saysThatItIsNoCatalog() throws IOException {
        for (String contents : List.of("", "\n", "x".repeat(1_000))) {
            Files.writeString(catalog, contents);

            assertThatThrownBy(() -> ArenaImage.open(base)).isInstanceOf(IOException.class)
                    .hasMessage("No catalog of an image: path=" + catalog
                            + "; if it was one, arena repair writes its header anew");
        }
    }

    @Test
    void cancel_anotherLineReservedSince_writesAnEmptyEntry() throws IOException {
        Path other = directory.resolve("other");
        CatalogWriter written;
        int cancelled;
        try (Arena arena = Arena.ofConfined()) {
            written = CatalogWriter.create(other, arena, CatalogLevel.SIZES, 0, FileMode.OWNER_ONLY);
            cancelled = written.reserve();
            int used = written.reserve();
            written.cancel(cancelled);
            written.addAllocation(used, -1, 0, 0, 1, CatalogEntry.Text.NONE, CatalogEntry.Text.NONE);
            written.cancel(written.reserve());
        }
        written.close(java.util.List.of());

        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("other.catalog")))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.getInt(cancelled * 64)).as("sequence").isEqualTo(cancelled);
        assertThat(bytes.get(cancelled * 64 + 8)).as("kind").isEqualTo((byte) 5);
        assertThat(bytes.getLong(64)).as("high-water mark").isEqualTo((cancelled + 2) * 64L);
        try (ArenaImage image = ArenaImage.open(other)) {
            assertThat(image.allocations()).hasSize(1);
            assertThat(image.integrity().problems()).isEmpty();
        }
    }

    @Test
    void allocate_refusedRepeatedly_reservesNoFurtherLines() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            long before = bytes().getLong(64);
            int room = MappingLimit.LIMIT - MappingLimit.used();
            MappingLimit.reserve(room);
            try {
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> arena.allocate(1L << 30, 1))
                            .hasMessageContaining("Too many file mappings");
                }
            } finally {
                MappingLimit.release(room);
            }
            assertThat(bytes().getLong(64)).isEqualTo(before);
        }
        using(ArenaImage.open(base), image -> assertThat(image.integrity().problems()).isEmpty());
    }
}
