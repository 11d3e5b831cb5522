package dev.arenakit.tool.page;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import dev.arenakit.tool.FormatsImage;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Writes an image for the tests of the page: many allocations of several types, some of them freed, sparse or
/// truncated, or with malicious names. The main method writes an image too.
final class PageImage {
    static final StructType QUOTE = LayoutText.parse("""
            #pragma layout 2
            struct Quote { int64_t time; double bid; double ask; int32_t size[2]; char symbol[8]; };
            """);
    static final StructType EVENT = LayoutText.parse("""
            #pragma layout 3
            enum Kind : int32_t { MOVED = 1, NAMED = 2, };
            struct Point { float x; float y; };
            struct Event {
                int64_t id;
                enum Kind kind;
                union @switch(kind) { struct Point to @case(1); char name[16] @case(2, 3); } what;
                bool seen;
                struct Point *next;
            };
            """);
    static final StructType SESSION = LayoutText.parse("""
            #pragma layout 2
            struct Session { int32_t user; int16_t flags; char16_t name[5]; int64_t @big token; };
            """);

    /// Every kind of value.
    static final StructType KINDS = LayoutText.parse("""
            #pragma layout 3
            struct Kinds {
                bool flag;
                uint16_t @char unit;
                float @big ratio;
                double exact;
                void *next;
                int32_t grid[2][2];
                struct { int8_t x; int16_t @big y; } points[2];
                union { int8_t a; int16_t b; } either;
                char16_t @big wide[3];
                char @ascii plain[5];
                int8_t many[20];
                enum Side : int64_t { BUY = -1, SELL = 4611686018427387904, } side;
                uint64_t @ref(112, 8, Kinds) @big own;
                uint32_t @ref(8, 4, Item, "index") item;
                uint32_t @ref(8, 4, Item, "kinds") other;
            };
            """);

    /// Names that would change the page if they were not treated as text.
    static final String[] HOSTILE = {"</script><img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>",
            "it's \"quoted\" & <b>bold</b> <!--", "line\u2028separator", "\u202eesrever", "{{script}}${1+1}",
            "caf\u00e9 \ud83d\ude00"};

    private static final String[] SYMBOLS = {"ARNA", "SLAB", "MAPPED", "CHUNK"};
    private static final int LARGE = 1 << 26;
    private static final long SPARSE = 1L << 34;

    private PageImage() {}

    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]), Integer.parseInt(args[1]), args.length < 3);
    }

    /// Writes an image, closes it, and then truncates one of its files.
    ///
    /// @param count   the number of allocations, apart from some dozen further ones
    /// @param chunked whether the allocations share files
    static void write(Path base, int count, boolean chunked) throws IOException {
        InfiniteArenaBuilder builder = InfiniteArena.builder(base);
        try (InfiniteArena arena = (chunked ? builder.chunked(LARGE) : builder).build()) {
            Random random = new Random(7);
            for (String name : HOSTILE) {
                fill(arena.names().allocate(name, QUOTE, 3), QUOTE, random);
            }
            sparse(arena, random);
            for (int i = 0; i < count; i++) {
                one(arena, i, random);
            }
            arena.names().allocate("cut off", QUOTE, 2 * LARGE / QUOTE.byteSize()).fill((byte) 1);
        }
        try (RandomAccessFile last = new RandomAccessFile(last(base).toFile(), "rw")) {
            last.setLength(LARGE);
        }
    }

    private static Path last(Path base) throws IOException {
        return ImageFileSet.of(base).file(ImageFileSet.of(base).numbers().getLast());
    }

    private static void sparse(InfiniteArena arena, Random random) {
        MemorySegment index = arena.names().allocate("index", JAVA_DOUBLE, SPARSE / Double.BYTES);
        for (int i = 0; i < 40; i++) {
            index.asSlice(random.nextLong(SPARSE >>> 16) << 16, 1 << 15).fill((byte) (1 + i));
        }
        arena.names().allocate("never touched", QUOTE, 1 << 20);
        MemorySegment events = arena.names().allocate("events", EVENT, 64);
        for (int i = 0; i < 64; i++) {
            event(events.asSlice(i * EVENT.byteSize(), EVENT.byteSize()), i);
        }
        event(arena.names().allocate("first event", EVENT, 1), 2);
        FormatsImage.allocate(arena);
        kinds(arena.names().allocate("kinds", KINDS, 2));
        arena.names().allocate("flag", JAVA_BYTE, 1).set(JAVA_BYTE, 0, (byte) 1);
    }

    /// Fills values of several kinds, but no huge numbers, since Java and JavaScript format them differently.
    private static void kinds(MemorySegment kinds) {
        long second = KINDS.byteSize();
        kinds.fill((byte) 0x7a);
        kinds.asSlice(second).fill((byte) 0);
        for (long at : new long[]{0, second}) {
            // Eight digits of the first one are more than are needed.
            float ratio = at == 0 ? 999_999.9f : -0.0f;
            kinds.set(JAVA_INT_UNALIGNED, at + offset("ratio"), Integer.reverseBytes(Float.floatToRawIntBits(ratio)));
            kinds.set(JAVA_DOUBLE_UNALIGNED, at + offset("exact"), at == 0 ? 0.1 : -0.0);
        }
        kinds.set(JAVA_LONG_UNALIGNED, offset("side"), 1L << 62);
        kinds.set(JAVA_LONG_UNALIGNED, offset("next"), -2);
        kinds.set(JAVA_LONG_UNALIGNED, second + offset("side"), -1);
        kinds.set(JAVA_BYTE, second + offset("plain"), (byte) '"');
        kinds.set(JAVA_LONG_UNALIGNED, second + offset("own"), Long.reverseBytes(112 + 1));
        kinds.set(JAVA_INT_UNALIGNED, offset("item"), 17 * 8 / 4 + 1);
        kinds.set(JAVA_INT_UNALIGNED, offset("other"), 2);
    }

    private static long offset(String member) {
        return KINDS.member(member).orElseThrow().byteOffset();
    }

    private static void event(MemorySegment event, int i) {
        event.set(JAVA_LONG_UNALIGNED, 0, (1L << 53) + i);
        event.set(JAVA_INT_UNALIGNED, 8, 1 + i % 4);
        MemorySegment.copy(MemorySegment.ofArray(("event " + i).getBytes(UTF_8)), 0, event, 12, 7);
        event.set(JAVA_BYTE, 28, (byte) (i % 2));
        event.set(JAVA_LONG_UNALIGNED, 32, 0x7f00_0000_1000L + i);
    }

    private static void one(InfiniteArena arena, int i, Random random) {
        int length = 1 + (int) Math.min(500, Math.abs(random.nextGaussian()) * 12);
        switch (i % 8) {
            case 0, 1, 2 -> fill(arena.names().allocate("quotes/%05d".formatted(i), QUOTE, length), QUOTE, random);
            case 3, 4 -> session(arena.names().allocate("session " + i, SESSION, 1), i);
            case 5 -> samples(arena.names().allocate("samples/%05d".formatted(i), JAVA_DOUBLE, 8L * length), random);
            case 6 ->
                fill(arena.names().allocate("trades/%05d".formatted(i), TestImage.TRADE, length), TestImage.TRADE,
                        random);
            default -> arena.allocate(16L * length, 16).fill((byte) i);
        }
        if (i % 40 == 3) {
            arena.names().free("session " + i);
        }
        if (i % 4000 == 11) {
            arena.names().allocate("buffer " + i, JAVA_BYTE, 1 << 18).asSlice(1 << 16, 1 << 14).fill((byte) 'x');
        }
    }

    /// Fills quotes and trades with plausible numbers. Their last 8 bytes are a symbol.
    private static void fill(MemorySegment structs, StructType type, Random random) {
        for (long at = 0; at + type.byteSize() <= structs.byteSize(); at += type.byteSize()) {
            MemorySegment struct = structs.asSlice(at, type.byteSize());
            struct.set(JAVA_LONG_UNALIGNED, 0, 1_000_000 + at / type.byteSize());
            if (type.equals(QUOTE)) {
                double bid = cents(random);
                struct.set(JAVA_DOUBLE_UNALIGNED, 8, bid);
                struct.set(JAVA_DOUBLE_UNALIGNED, 16, bid + 0.25);
                struct.set(JAVA_INT_UNALIGNED, 24, random.nextInt(1, 500));
                struct.set(JAVA_INT_UNALIGNED, 28, random.nextInt(1, 500));
            } else {
                struct.set(JAVA_BYTE, 8, (byte) random.nextInt(2));
                struct.set(JAVA_DOUBLE_UNALIGNED, 16, cents(random));
            }
            byte[] symbol = SYMBOLS[random.nextInt(SYMBOLS.length)].getBytes(UTF_8);
            struct.asSlice(type.byteSize() - 8, symbol.length).copyFrom(MemorySegment.ofArray(symbol));
        }
    }

    private static void session(MemorySegment session, int i) {
        session.set(JAVA_INT_UNALIGNED, 0, i);
        session.set(JAVA_SHORT_UNALIGNED, 4, (short) -2);
        for (int unit = 0; unit < 3; unit++) {
            session.set(JAVA_SHORT_UNALIGNED, 6 + 2 * unit, (short) "\u00e4\u20acz".charAt(unit));
        }
        session.set(JAVA_LONG_UNALIGNED, 16, Long.reverseBytes(42L + i));
    }

    private static void samples(MemorySegment samples, Random random) {
        for (long at = 0; at + Double.BYTES <= samples.byteSize(); at += Double.BYTES) {
            samples.set(JAVA_DOUBLE_UNALIGNED, at, cents(random));
        }
    }

    private static double cents(Random random) {
        return random.nextInt(100_000) / 100.0;
    }
}
