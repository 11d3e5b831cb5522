package dev.arenakit.collection;

import java.util.concurrent.ThreadLocalRandom;

/// Hash codes of keys that are longs, of which the upper bits are well distributed: different keys have different hash
/// codes, and a key can be computed from its hash code.
final class HashedLongs {
    /*
     * Multiplicative hashing (D. E. Knuth, The Art of Computer Programming, volume 3, 6.4). A multiplication spreads
     * each bit of the key to all higher bits, and the tables use the upper bits. A second round of mixing made a search
     * in a table beyond the caches 4 ns slower: the address is known later.
     */
    /// 2^64 divided by the golden ratio.
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    /// The product of both is 1 modulo 2^64.
    private static final long INVERSE = 0xF1DE83E19937733DL;

    private HashedLongs() {}

    /// Returns a seed for a map. Keys that collide in one map do not collide in another.
    static long newSeed() {
        return ThreadLocalRandom.current().nextLong();
    }

    static long hash(long key, long seed) {
        return (key ^ seed) * FACTOR;
    }

    /// Returns the key that has a hash code.
    static long key(long hash, long seed) {
        return (hash * INVERSE) ^ seed;
    }
}
