package dev.arenakit.examples.words;

import dev.arenakit.examples.DoomedProcess;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Path;

/// The process that [StoredWordsExample] kills. It counts words until then.
final class WordWriter {
    private WordWriter() {}

    /// Counts until it is killed.
    ///
    /// @param args the base of the image, the zip file, and the beginning of the names of the files to count
    public static void main(String[] args) throws IOException, InterruptedException {
        DoomedProcess.endWithParent();
        // The arena is never closed, because the process is killed.
        StoredWords words = new StoredWords(InfiniteArena.builder(Path.of(args[0])).openOrCreate());
        System.out.println(DoomedProcess.READY);
        Path zip = Path.of(args[1]);
        words.count(zip, StoredWords.files(zip, args[2]),
                counted -> System.out.println(DoomedProcess.REACHED + counted));
        Thread.sleep(Long.MAX_VALUE);
    }
}
