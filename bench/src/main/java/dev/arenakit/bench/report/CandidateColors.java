package dev.arenakit.bench.report;

import java.util.List;

/// The colours of candidates in charts. A candidate has the same colour in all charts of all reports, which is that of
/// its family.
final class CandidateColors {
    /// The families that have a colour of their own, in the order of the colours in the script of the page.
    private static final List<String> FAMILIES = List.of("JDK", "SlabArena", "MallocArena", "InfiniteArena", "Netty",
            "LWJGL", "libc");
    /// Further colours, which other families share.
    private static final int SHARED = 7;

    /// Number of colours in the script of the page.
    static final int COUNT = FAMILIES.size() + SHARED;

    private CandidateColors() {}

    /// Returns the number of a candidate's colour.
    static int of(String candidate) {
        String family = family(candidate);
        int known = FAMILIES.indexOf(family);
        return known >= 0 ? known : FAMILIES.size() + Math.floorMod(family.hashCode(), SHARED);
    }

    /// Returns the name up to the first space, dot, bracket or comma, except for names that belong to the JDK or to
    /// libc.
    static String family(String candidate) {
        String first = candidate.split("[ .(,]", 2)[0];
        return switch (first) {
            case "Arena", "slicingAllocator", "BufferStack", "ofConfined", "ofShared", "ofAuto", "Unsafe" -> "JDK";
            case "malloc", "calloc", "realloc", "memset" -> "libc";
            default -> first.isEmpty() ? candidate : first;
        };
    }
}
