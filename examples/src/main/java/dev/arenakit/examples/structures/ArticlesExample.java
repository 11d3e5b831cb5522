package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.BytesMap;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Packed;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Maps strings to records whose size varies: a struct, and text of any length behind it.
final class ArticlesExample {
    private static final RecordMapper<Facts> FACTS = RecordMapper.of(Facts.class);
    private static final DoubleField PRICE = FACTS.doubleField("price");

    record Article(Facts facts, String description) {}

    /// The part of an article whose size does not vary. It is packed, since values have any address.
    @Packed
    record Facts(int stock, double price) {}

    private ArticlesExample() {}

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        try (BytesMap articles = BytesMap.owning(MallocArena::ofConfined)) {
            articles.put("saw", write(new Article(new Facts(3, 12.5), "for wood")));
            articles.put("pen", write(new Article(new Facts(250, 1.25), "")));
            articles.put("pen", write(new Article(new Facts(249, 1.5), "blue ".repeat(20) + "or black")));

            BytesMap.Value value = articles.newValue(); // used again for each look-up
            for (String name : new String[]{"saw", "pen", "cup"}) {
                out.println(name + ": " + (articles.find(name, value) ? read(value) : "none"));
            }

            double[] sum = new double[1];
            // In place: neither records nor strings are created.
            articles.forEach((bytes, _, _, offset, _) -> sum[0] += PRICE.get(bytes, offset));
            out.printf(Locale.ROOT, "%d articles, one of each for %.2f%n", articles.size(), sum[0]);
        }
    }

    private static byte[] write(Article article) {
        byte[] text = article.description().getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[(int) FACTS.byteSize() + text.length];
        FACTS.set(MemorySegment.ofArray(value), 0, article.facts());
        System.arraycopy(text, 0, value, (int) FACTS.byteSize(), text.length);
        return value;
    }

    private static Article read(BytesMap.Value value) {
        byte[] text = value.slice().asSlice(FACTS.byteSize()).toArray(JAVA_BYTE);
        return new Article(FACTS.get(value.bytes(), value.offset()), new String(text, StandardCharsets.UTF_8));
    }
}
