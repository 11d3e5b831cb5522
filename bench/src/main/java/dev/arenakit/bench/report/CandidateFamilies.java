package dev.arenakit.bench.report;

import dev.arenakit.bench.candidate.Candidates;
import java.util.List;
import java.util.stream.IntStream;

/// The families of candidates, and the numbers of the colours that the script of the page gives them.
///
/// All candidates of a family have the same colour, in all charts of all reports. A candidate also has the same shade,
/// which is a kind of line, unless another member of its family has taken that shade in a chart.
final class CandidateFamilies {
    /// The families that have a colour of their own, in the order of the colours in the script of the page.
    private static final List<String> FAMILIES = List.of("JDK", "SlabArena", "MallocArena", "InfiniteArena", "Netty",
            "LWJGL", "libc");
    /// The families of each further colour. Families that are compared with each other have different colours. Unknown
    /// families share these colours.
    private static final List<List<String>> SHARED = List.of(
            List.of("RecordMapper", "records", "RecordMap", "LongLongMap", "BytesLongMap", "LongList",
                    "OffsetAllocator"),
            List.of("Agrona", "mimalloc"),
            List.of("fastutil", "jemalloc", "ByteBuffer"),
            List.of("Eclipse", "views", "DataOutputStream"),
            List.of("Chronicle", "LongField", "Serializable", "IntList"),
            List.of("MapDB", "SegmentReader", "FreeListArena"),
            List.of("LongIntMap"));

    /// Number of colours in the script of the page.
    static final int COUNT = FAMILIES.size() + SHARED.size();

    /// Number of shades in the script of the page.
    static final int SHADES = 4;

    private CandidateFamilies() {}

    /// Returns the number of a candidate's colour.
    static int color(String candidate) {
        String family = family(candidate);
        int known = FAMILIES.indexOf(family);
        return known >= 0
                ? known
                : FAMILIES.size() + IntStream.range(0, SHARED.size())
                        .filter(color -> SHARED.get(color).contains(family))
                        .findFirst()
                        .orElseGet(() -> Math.floorMod(family.hashCode(), SHARED.size()));
    }

    /// Returns the shade that a candidate has unless another candidate has taken it.
    static int shade(String candidate) {
        List<String> members = Candidates.builtInNames()
                .stream()
                .filter(name -> family(name).equals(family(candidate)))
                .toList();
        int known = members.indexOf(candidate);
        return Math.floorMod(known >= 0 ? known : candidate.hashCode(), SHADES);
    }

    /// Returns the name up to the first space, dot, bracket or comma, except for names that belong to the JDK or to
    /// libc.
    static String family(String candidate) {
        String first = candidate.split("[ .(,]", 2)[0];
        return switch (first) {
            case "Arena", "slicingAllocator", "BufferStack", "ofConfined", "ofShared", "ofAuto", "Unsafe", "VarHandle",
                    "VarHandles", "HashMap", "Arrays" ->
                "JDK";
            case "malloc", "calloc", "realloc", "memset" -> "libc";
            default -> first.isEmpty() ? candidate : first;
        };
    }
}
