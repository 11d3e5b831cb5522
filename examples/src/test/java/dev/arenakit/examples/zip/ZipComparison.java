package dev.arenakit.examples.zip;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares a [ZipIndex] with [ZipFile], which reads the same file.
final class ZipComparison {
    /// The part of a ZipFile's message where ZipIndex accepts the file: it lists entries that it cannot read, and accepts
    /// comments that are not UTF-8.
    private static final List<String> ACCEPTED = List.of("encrypted entry", "bad compression method",
            "bad entry name or comment");

    /// How the messages begin where ZipIndex alone refuses a file or an entry, and why it does.
    private static final Map<String, String> STRICTER = Map.of(
            "Directory would begin before the file: directoryOffset=-", "an offset of 2^63 or more",
            "Data would end beyond the end of the file", "ZipFile reads deflated data up to their last block",
            "Deflated data end too early", "ZipFile adds a zero where the last byte is missing");

    private Verdict verdict = Verdict.EQUAL;

    private ZipComparison() {}

    /// The results of both for a file.
    enum Verdict {
        /// Both opened it, and agree on all entries.
        EQUAL,
        /// Both refused it.
        REFUSED,
        /// ZipFile alone refused it, for one of the accepted reasons.
        ACCEPTED,
        /// ZipIndex alone refused it, or an entry, for a reason that is listed.
        STRICTER
    }

    /// Compares how both read a file that may be malformed.
    static Verdict compare(Path path) throws IOException {
        String refusal = refusal(path);
        if (refusal == null) {
            ZipComparison comparison = new ZipComparison();
            try (ZipFile expected = new ZipFile(path.toFile()); ZipIndex index = ZipIndex.openConfined(path)) {
                comparison.compareAll(expected, index, _ -> true);
            } catch (ZipException e) {
                comparison.checkStricter(e);
            }
            return comparison.verdict;
        }
        if (ACCEPTED.stream().anyMatch(refusal::contains)) {
            try (ZipIndex index = ZipIndex.openConfined(path)) {
                assertThat(index.size()).as(refusal).isPositive();
                return Verdict.ACCEPTED;
            } catch (ZipException _) {
                // Something else is wrong too, or a name is not UTF-8.
                return Verdict.REFUSED;
            }
        }
        assertThatThrownBy(() -> ZipIndex.openConfined(path).close()).as(refusal).isInstanceOf(ZipException.class);
        return Verdict.REFUSED;
    }

    /// Returns the reason why ZipFile refuses a file, or null if it opens the file. Some malformed files lead to an
    /// EOFException.
    private static @Nullable String refusal(Path path) {
        try (ZipFile file = new ZipFile(path.toFile())) {
            assertThat(file.size()).isNotNegative();
            return null;
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// Compares all entries of a file, name by name.
    ///
    /// @param contents tells for the name of an entry whether its content is compared as well
    static void compare(ZipFile expected, ZipIndex index, Predicate<String> contents) throws IOException {
        ZipComparison comparison = new ZipComparison();
        comparison.compareAll(expected, index, contents);
        assertThat(comparison.verdict).isEqualTo(Verdict.EQUAL);
    }

    private void compareAll(ZipFile expected, ZipIndex index, Predicate<String> contents) throws IOException {
        assertThat(index.size()).isEqualTo(expected.size());
        long position = index.first();
        for (ZipEntry listed : Collections.list(expected.entries())) {
            String name = listed.getName();
            if (!index.name(position).equals(name)) {
                assertThat(index.name(position)).isEqualTo(name);
            }
            position = index.next(position);
            compare(expected, index, name, contents.test(name));
            compare(expected, index, name + "/", false);
            if (name.endsWith("/")) {
                compare(expected, index, name.substring(0, name.length() - 1), false);
            }
        }
        assertThat(position).isEqualTo(ZipIndex.NOT_FOUND);
        compare(expected, index, "no such entry", false);
    }

    private void compare(ZipFile file, ZipIndex index, String name, boolean contents) throws IOException {
        ZipEntry expected = file.getEntry(name);
        long position = index.find(name);
        if (expected == null) {
            if (position != ZipIndex.NOT_FOUND) {
                throw new AssertionError("Entry is found: name=" + name);
            }
            return;
        }
        if (position == ZipIndex.NOT_FOUND) {
            throw new AssertionError("Entry is not found: name=" + name);
        }
        String comment = expected.getComment();
        Entry values = new Entry(expected.getName(), expected.getSize(),
                expected.getCompressedSize(), expected.getCrc(), expected.getMethod(), expected.isDirectory(), false,
                comment == null ? "" : comment);
        Entry entry = index.entry(position);
        if (!entry.equals(values)) { // Descriptions of hundreds of thousands of equal entries would take seconds.
            assertThat(entry).isEqualTo(values);
        }
        if (contents) {
            compareContents(file, expected, index, position);
        }
    }

    private void compareContents(ZipFile file, ZipEntry entry, ZipIndex index, long position)
            throws IOException {
        byte[] expected = contents(file, entry);
        try (Arena arena = Arena.ofConfined()) {
            if (expected != null) {
                byte[] read;
                try {
                    read = index.read(position, arena).toArray(JAVA_BYTE);
                } catch (ZipException e) {
                    checkStricter(e);
                    return;
                }
                assertThat(read).isEqualTo(expected);
                try (InputStream in = index.open(position)) {
                    assertThat(in.readAllBytes()).isEqualTo(expected);
                }
            } else {
                assertThatThrownBy(() -> index.read(position, arena)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> {
                    try (InputStream in = index.open(position)) {
                        in.readAllBytes();
                    }
                }).isInstanceOf(IOException.class);
            }
        }
    }

    private void checkStricter(ZipException e) {
        assertThat(STRICTER.keySet()).as(e.toString()).anyMatch(String.valueOf(e.getMessage())::startsWith);
        verdict = Verdict.STRICTER;
    }

    /// Returns the contents that ZipFile reads, or null if it cannot read them, or if their size or CRC is wrong.
    private static byte @Nullable [] contents(ZipFile file, ZipEntry entry) {
        try (InputStream in = file.getInputStream(entry)) {
            byte[] bytes = in.readAllBytes();
            CRC32 crc = new CRC32();
            crc.update(bytes);
            return bytes.length == entry.getSize() && crc.getValue() == entry.getCrc() ? bytes : null;
        } catch (IOException _) {
            return null;
        }
    }
}
