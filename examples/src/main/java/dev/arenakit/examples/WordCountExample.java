package dev.arenakit.examples;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.BytesLongMap;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Counts the words of a large text in a zip file, such as the sources of the JDK, with a `BytesLongMap` and with a
/// `HashMap`, and compares time and memory.
///
/// The text consists of bytes. The `BytesLongMap` takes the words directly from the text, while the `HashMap` needs a
/// `String` for each word.
final class WordCountExample {
    private Map<String, Long> strings = new HashMap<>();
    private final BytesLongMap words;
    private final PrintStream out;
    private long stringNanos;
    private long byteNanos;
    private long count;

    private WordCountExample(BytesLongMap words, PrintStream out) {
        this.words = words;
        this.out = out;
    }

    /// Counts and prints.
    ///
    /// @param args the zip file, and optionally the beginning of the names of the entries to count
    public static void main(String[] args) throws IOException {
        run(Path.of(args[0]), args.length > 1 ? args[1] : "", System.out);
    }

    static void run(Path file, String beginning, PrintStream out) throws IOException {
        try (BytesLongMap words = BytesLongMap.owning(MallocArena::ofConfined)) {
            new WordCountExample(words, out).run(file, beginning);
        }
    }

    private void run(Path file, String beginning) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
                if (entry.getName().startsWith(beginning)) {
                    countBoth(zip.getInputStream(entry).readAllBytes());
                }
            }
        }
        checkSame();
        List<String> most = strings.entrySet()
                .stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Long> word) -> -word.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(5)
                .map(word -> word.getKey() + " " + word.getValue())
                .toList();
        out.println(count + " words, " + words.size() + " different: " + String.join(", ", most));
        long entries = words.size();
        print("BytesLongMap", byteNanos, words.byteSize(), entries);
        print("HashMap", stringNanos, heapByteSize(), entries);
    }

    private void countBoth(byte[] text) {
        long start = System.nanoTime();
        countBytes(text);
        long middle = System.nanoTime();
        countStrings(text);
        byteNanos += middle - start;
        stringNanos += System.nanoTime() - middle;
    }

    private void countBytes(byte[] text) {
        for (int from = nextWord(text, 0); from < text.length;) {
            int to = endOfWord(text, from);
            words.addTo(text, from, to - from, 1);
            count++;
            from = nextWord(text, to);
        }
    }

    private void countStrings(byte[] text) {
        for (int from = nextWord(text, 0); from < text.length;) {
            int to = endOfWord(text, from);
            strings.merge(new String(text, from, to - from, StandardCharsets.UTF_8), 1L, Long::sum);
            from = nextWord(text, to);
        }
    }

    private static int nextWord(byte[] text, int from) {
        int at = from;
        while (at < text.length && !isLetter(text[at])) {
            at++;
        }
        return at;
    }

    private static int endOfWord(byte[] text, int from) {
        int at = from;
        while (at < text.length && isLetter(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isLetter(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }

    private void checkSame() {
        words.forEach((bytes, offset, byteSize, value) -> {
            String word = new String(bytes.asSlice(offset, byteSize).toArray(JAVA_BYTE),
                    StandardCharsets.UTF_8);
            if (strings.getOrDefault(word, 0L) != value) {
                throw new AssertionError("The maps differ: " + word);
            }
        });
        if (words.size() != strings.size()) {
            throw new AssertionError("The maps differ: " + words.size() + ", " + strings.size());
        }
    }

    /// Returns by how much the heap shrinks when the `HashMap` is dropped.
    private long heapByteSize() {
        long before = usedHeap();
        strings = Map.of();
        return before - usedHeap();
    }

    private static long usedHeap() {
        // The JVM may ignore a request while another thread holds back collections.
        WeakReference<byte[]> garbage = new WeakReference<>(new byte[1]);
        while (garbage.get() != null) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void print(String map, long nanos, long byteSize, long entries) {
        out.printf(Locale.ROOT, "%-12s %6d ms %6d KiB %6.1f bytes for a word%n", map, nanos / 1_000_000,
                byteSize >> 10, (double) byteSize / entries);
    }
}
