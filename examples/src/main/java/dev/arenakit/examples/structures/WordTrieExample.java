package dev.arenakit.examples.structures;

import dev.arenakit.examples.process.JavaCommand;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Counts words in a trie that is in an image. A second process maps the image at another address, and searches it.
public final class WordTrieExample {
    private static final String NAME = "nodes";
    private static final List<String> WORDS = List.of("the", "trie", "of", "the", "text", "is", "the", "tree", "that",
            "the",
            "text", "has");
    private static final ViewMapper<Node> NODES = ViewMapper.of(Node.class);

    private WordTrieExample() {}

    /// A prefix of words.
    @Members({"count", "children"})
    interface Node {
        int count();

        void count(int count);

        @Length(26)
        Ref32<Node> children(long letter);

        void children(long letter, Ref32<Node> child);
    }

    /// Runs the example. With further arguments, it is the second process of the example.
    ///
    /// @param args the directory in which a directory for the image is created; or the base of the image, and words
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            run(System.out, Path.of(args[0]));
        } else {
            try (ArenaImage image = ArenaImage.open(Path.of(args[0])); Arena arena = Arena.ofConfined()) {
                MemorySegment nodes = image.segment(image.find(NAME).orElseThrow(), arena);
                for (String word : List.of(args).subList(1, args.length)) {
                    System.out.println(word + ": " + count(nodes, word));
                }
            }
        }
    }

    static void run(PrintStream out, Path temporary) throws IOException, InterruptedException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-trie-");
                InfiniteArena arena = InfiniteArena.ofConfined(created.path().resolve("words"))) {
            MemorySegment nodes = arena.names().allocate(NAME, NODES.type(), 100);
            long used = 1; // the root
            for (String word : WORDS) {
                used = add(nodes, used, word);
            }
            out.println(used + " nodes");
            Process other = new ProcessBuilder(JavaCommand.of("-cp", System.getProperty("java.class.path"),
                    WordTrieExample.class.getName(), arena.base().toString(), "the", "text", "te", "word"))
                    .redirectErrorStream(true)
                    .start();
            try {
                out.print(new String(other.getInputStream().readAllBytes(), UTF_8));
                other.waitFor();
            } finally {
                other.destroyForcibly();
            }
        }
    }

    /// @param used the number of nodes in use
    /// @return the number of nodes in use afterwards
    private static long add(MemorySegment nodes, long used, String word) {
        long next = used;
        Node node = NODES.view(nodes);
        for (int i = 0; i < word.length(); i++) {
            int letter = word.charAt(i) - 'a';
            if (node.children(letter).isNone()) {
                node.children(letter, NODES.refAtIndex(next));
                next++;
            }
            node = node.children(letter).follow(nodes);
        }
        node.count(node.count() + 1);
        return next;
    }

    /// Searches in a loop over offsets, which creates no objects.
    private static int count(MemorySegment nodes, String word) {
        long at = 0;
        for (int i = 0; i < word.length() && at >= 0; i++) {
            Ref<Node> child = NODES.view(nodes, at).children(word.charAt(i) - 'a');
            at = child.offsetIn(nodes);
        }
        return at < 0 ? 0 : NODES.view(nodes, at).count();
    }
}
