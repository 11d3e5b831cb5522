package dev.arenakit.internal.collection;

import java.util.concurrent.ThreadLocalRandom;

/// Hash codes of keys that are longs, of which the upper bits are well distributed: different keys have different hash
/// codes, and a key can be computed from its hash code.
final class HashedLongs {
    /*
     * Multiplicative hashing (D. E. Knuth, The Art of Computer Programming, volume 3, 6.4) with a random odd factor
     * (M. Dietzfelbinger, T. Hagerup, J. Katajainen and M. Penttonen, "A reliable randomized algorithm for the
     * closest-pair problem", Journal of Algorithms 25, 1997): whatever the keys are, few of them have the same upper
     * bits under most factors. A second round of mixing made a search in a table beyond the caches 4 ns slower: the
     * address is known later.
     *
     * The multiples of a factor are unevenly distributed if the factor divided by 2^64 is close to a fraction with a
     * small denominator. So the maps do not use the factors that distribute successive numbers badly, or those with a
     * distance of a small power of two.
     */
    /// The largest shift: successive numbers are at most 16 apart, as the addresses of blocks of malloc are.
    private static final int MAX_SHIFT = 4;
    /// The largest quotient in the continued fraction: among entries that should have been spread, about half as many
    /// are one after the other at most. With a smaller one, more factors are refused, and it takes longer to find one.
    private static final long MAX_QUOTIENT = 128;

    private HashedLongs() {}

    /// Returns a factor for a map. It is odd and secret.
    static long newFactor() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long factor = random.nextLong() | 1;
        while (!distributes(factor)) {
            factor = random.nextLong() | 1;
        }
        return factor;
    }

    /// Returns the number whose product with a factor is 1 modulo 2^64.
    static long inverse(long factor) {
        // Newton's iteration. The lowest 3 bits of an odd number are those of its inverse, and each step doubles them.
        long inverse = factor;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - factor * inverse;
        }
        return inverse;
    }

    static boolean distributes(long factor) {
        for (int shift = 0; shift <= MAX_SHIFT; shift++) {
            // Euclid's algorithm on 2^64 and the factor, for the denominators below about 2^32. No remainder is 0
            // before that, since their common divisor is a small power of two.
            long larger = factor << shift;
            if (Long.divideUnsigned(-1, larger) > MAX_QUOTIENT) {
                return false;
            }
            long smaller = Long.remainderUnsigned(-1, larger) + 1;
            while (larger >>> Integer.SIZE != 0) {
                if (Long.divideUnsigned(larger, smaller) > MAX_QUOTIENT) {
                    return false;
                }
                long remainder = Long.remainderUnsigned(larger, smaller);
                larger = smaller;
                smaller = remainder;
            }
        }
        return true;
    }
}
