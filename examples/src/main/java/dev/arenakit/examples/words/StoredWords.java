package dev.arenakit.examples.words;

import dev.arenakit.mapped.ImageLongMap;
import dev.arenakit.mapped.ImageTree;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The words of the files in a zip file, and how often each occurs, in an image. Counting can be interrupted at any
/// point, and continues with the file that was not finished.
///
/// Each change of a structure happens wholly or not at all, but a file has many words. Therefore the count of a word
/// includes the number of the file that has changed it last. A file that is counted again leaves the words that it has
/// changed already.
final class StoredWords {
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,40}");
    /// The key of the number of files that are counted.
    private static final long FILES = 0;
    private static final Count NONE = new Count(0, -1);

    private final ImageTree<String, Count> words;
    private final ImageLongMap progress;

    StoredWords(InfiniteArena arena) {
        words = arena.tree("words", String.class, Count.class);
        progress = arena.longMap("progress");
    }

    /// How often a word occurs.
    ///
    /// @param lastFile the number of the last file that contains it
    record Count(long count, int lastFile) {}

    /// The names of the files in a zip file that begin with a text, in their order.
    static List<String> files(Path zip, String beginning) throws IOException {
        try (ZipFile file = new ZipFile(zip.toFile())) {
            return file.stream().map(ZipEntry::getName).filter(name -> name.startsWith(beginning)).toList();
        }
    }

    /// The number of files that are counted.
    int fileCount() {
        return (int) progress.get(FILES, 0);
    }

    /// Counts the words of all files that are not counted yet.
    ///
    /// @param counted gets the number of files that are counted, after each file
    void count(Path zip, List<String> files, IntConsumer counted) throws IOException {
        try (ZipFile file = new ZipFile(zip.toFile())) {
            for (int number = fileCount(); number < files.size(); number++) {
                add(number, wordsOf(file, files.get(number)));
                progress.put(FILES, number + 1);
                counted.accept(number + 1);
            }
        }
    }

    private void add(int file, Map<String, Integer> counts) {
        counts.forEach((word, count) -> {
            Count before = words.get(word, NONE);
            if (before.lastFile() < file) {
                words.put(word, new Count(before.count() + count, file));
            }
        });
    }

    private static Map<String, Integer> wordsOf(ZipFile zip, String name) throws IOException {
        String text = new String(zip.getInputStream(zip.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
        Map<String, Integer> counts = new HashMap<>();
        WORD.matcher(text).results().forEach(word -> counts.merge(word.group(), 1, Integer::sum));
        return counts;
    }

    /// The words and their counts.
    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        words.forEach((word, count) -> counts.put(word, count.count()));
        return counts;
    }
}
