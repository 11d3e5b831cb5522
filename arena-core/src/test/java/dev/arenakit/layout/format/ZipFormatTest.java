package dev.arenakit.layout.format;

import dev.arenakit.layout.Programs;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Unsigned;
import dev.arenakit.layout.annotation.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Reads the headers of ZIP files that Python and Info-ZIP write, and compares them with what the JDK reads.
class ZipFormatTest {
    enum Method {
        STORED, @Value(8)
        DEFLATED, @Otherwise
        OTHER
    }

    /// The time of MS-DOS, with a resolution of two seconds.
    @Packed
    record DosTime(@Bits(5) @Unsigned(2) int halfSeconds, @Bits(6) @Unsigned(2) int minute,
            @Bits(5) @Unsigned(2) int hour, @Bits(5) @Unsigned(2) int day, @Bits(4) @Unsigned(2) int month,
            @Bits(7) @Unsigned(2) int yearsSince1980) {
        LocalDateTime local() {
            return LocalDateTime.of(1980 + yearsSince1980, month, day, hour, minute, 2 * halfSeconds);
        }
    }

    @Packed
    @Order(LITTLE_ENDIAN)
    record LocalHeader(@Unsigned(4) long signature, @Unsigned(2) int needed, @Bits(1) @Unsigned(2) int encrypted,
            @Bits(2) @Unsigned(2) int level, @Bits(1) @Unsigned(2) int descriptor, @Bits(7) @Unsigned(2) int unused,
            @Bits(1) @Unsigned(2) int utf8, @Bits(4) @Unsigned(2) int reserved, @ByteSize(2) Method method,
            DosTime time, @Unsigned(4) long checksum, @Unsigned(4) long compressed, @Unsigned(4) long size,
            @Unsigned(2) int nameLength, @Unsigned(2) int extraLength) {}

    @Packed
    @Order(LITTLE_ENDIAN)
    record CentralHeader(@Unsigned(4) long signature, @Unsigned(1) int version, @Unsigned(1) int system,
            @Unsigned(2) int needed, @Unsigned(2) int flags, @ByteSize(2) Method method, DosTime time,
            @Unsigned(4) long checksum, @Unsigned(4) long compressed, @Unsigned(4) long size,
            @Unsigned(2) int nameLength, @Unsigned(2) int extraLength, @Unsigned(2) int commentLength,
            @Unsigned(2) int disk, @Unsigned(2) int internal, @Unsigned(4) long external,
            @Unsigned(4) long offset) {}

    @Packed
    @Order(LITTLE_ENDIAN)
    record EndRecord(@Unsigned(4) long signature, @Unsigned(2) int disk, @Unsigned(2) int firstDisk,
            @Unsigned(2) int countHere, @Unsigned(2) int count, @Unsigned(4) long byteSize,
            @Unsigned(4) long offset, @Unsigned(2) int commentLength) {}

    private static final RecordMapper<LocalHeader> LOCAL = RecordMapper.of(LocalHeader.class);
    private static final RecordMapper<CentralHeader> CENTRAL = RecordMapper.of(CentralHeader.class);
    private static final RecordMapper<EndRecord> END = RecordMapper.of(EndRecord.class);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void sizes_ofTheHeaders_areThoseOfTheFormat() {
        assertThat(LOCAL.byteSize()).isEqualTo(30);
        assertThat(CENTRAL.byteSize()).isEqualTo(46);
        assertThat(END.byteSize()).isEqualTo(22);
    }

    @Test
    void headers_ofPython_areWhatTheJdkReads() throws Exception {
        Programs.python(directory, """
                import zipfile
                with zipfile.ZipFile('python.zip', 'w') as out:
                    for name, time, method, text in (
                            ('stored.txt', (1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED, 'stored'),
                            ('deflated.txt', (2026, 11, 22, 23, 59, 58), zipfile.ZIP_DEFLATED, 'deflated ' * 1000),
                            ('größe/', (2107, 12, 31, 12, 34, 56), zipfile.ZIP_STORED, '')):
                        entry = zipfile.ZipInfo(name, time)
                        entry.compress_type = method
                        out.writestr(entry, text)
                """);
        assertThat(compare(directory.resolve("python.zip"))).isEqualTo(3);
    }

    @Test
    void header_withAnotherMethod_isRead() throws Exception {
        Programs.python(directory, """
                import zipfile
                with zipfile.ZipFile('bzip2.zip', 'w', zipfile.ZIP_BZIP2) as out:
                    out.writestr('packed.txt', 'packed')
                """);
        LocalHeader header = LOCAL.get(MemorySegment.ofArray(Files.readAllBytes(directory.resolve("bzip2.zip"))), 0);
        assertThat(header.method()).isEqualTo(Method.OTHER);
        assertThat(header.size()).isEqualTo(6);
    }

    @Test
    void headers_ofInfoZip_areWhatTheJdkReads() throws Exception {
        Programs.assumeInstalled("zip");
        Files.writeString(directory.resolve("one.txt"), "one");
        Files.writeString(directory.resolve("many.txt"), "many ".repeat(1000));
        Programs.output(directory, "zip", "-q", "info.zip", "one.txt", "many.txt");
        assertThat(compare(directory.resolve("info.zip"))).isEqualTo(2);
    }

    private static int compare(Path path) throws IOException {
        MemorySegment file = MemorySegment.ofArray(Files.readAllBytes(path));
        EndRecord end = END.get(file, file.byteSize() - END.byteSize());
        assertThat(end.signature()).isEqualTo(0x06054b50L);
        try (ZipFile zip = new ZipFile(path.toFile())) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            long at = end.offset();
            for (int i = 0; i < end.count(); i++) {
                CentralHeader header = CENTRAL.get(file, at);
                assertThat(header.signature()).isEqualTo(0x02014b50L);
                String name = new String(file.asSlice(at + CENTRAL.byteSize(), header.nameLength()).toArray(JAVA_BYTE),
                        StandardCharsets.UTF_8);
                compare(entries.nextElement(), name, header);
                compare(LOCAL.get(file, header.offset()), header);
                at += CENTRAL.byteSize() + header.nameLength() + header.extraLength() + header.commentLength();
            }
            assertThat(at).isEqualTo(end.offset() + end.byteSize());
            assertThat(entries.hasMoreElements()).isFalse();
        }
        return end.count();
    }

    private static void compare(ZipEntry entry, String name, CentralHeader header) {
        assertThat(name).isEqualTo(entry.getName());
        assertThat(header.size()).isEqualTo(entry.getSize());
        assertThat(header.compressed()).isEqualTo(entry.getCompressedSize());
        assertThat(header.checksum()).isEqualTo(entry.getCrc());
        assertThat(header.method()).isEqualTo(switch (entry.getMethod()) {
            case ZipEntry.STORED -> Method.STORED;
            case ZipEntry.DEFLATED -> Method.DEFLATED;
            default -> throw new AssertionError(entry);
        });
        if (header.extraLength() == 0) { // An extra field can have a more precise time.
            assertThat(header.time().local()).isEqualTo(entry.getTimeLocal());
        }
    }

    private static void compare(LocalHeader local, CentralHeader central) {
        assertThat(local.signature()).isEqualTo(0x04034b50L);
        assertThat(local.method()).isEqualTo(central.method());
        assertThat(local.time()).isEqualTo(central.time());
        assertThat(local.nameLength()).isEqualTo(central.nameLength());
        assertThat(local.utf8()).isEqualTo(central.flags() >> 11 & 1);
        assertThat(local.level()).isEqualTo(central.flags() >> 1 & 3);
    }
}
