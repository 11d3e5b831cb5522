package dev.arenakit.internal.collection;

import java.util.concurrent.ThreadLocalRandom;

/// Hash codes of keys that are longs. The upper bits are well distributed. Different keys have different hash codes,
/// and a key can be computed from its hash code.
final class HashedLongs {
    /*
     * Multiplicative hashing (D. E. Knuth, The Art of Computer Programming, volume 3, 6.4) with a random odd factor (M.
     * Dietzfelbinger, T. Hagerup, J. Katajainen and M. Penttonen, "A reliable randomized algorithm for the closest-pair
     * problem", Journal of Algorithms 25, 1997): for any set of keys and most factors, few keys have the same upper
     * bits. A second round of mixing would make searches slower, by a sixth in a table beyond the caches, because the
     * address is known later, and successive numbers would no longer be spread better than random numbers.
     *
     * Some factors crowd keys that have a structure, such as a grid or the multiples of a number. A map counts how far
     * its entries are from their homes, and chooses another factor if they are farther than random keys would be. So
     * searches have nothing to check.
     *
     * The multiples of a factor are unevenly distributed if the factor divided by 2^64 is close to a fraction with a
     * small denominator. So the maps use no factor that distributes successive numbers badly, or numbers whose distance
     * is a small power of two.
     */
    /// The largest shift. It covers numbers at a distance of up to 16, the distance of small blocks of malloc.
    private static final int MAX_SHIFT = 4;
    /// The largest quotient in the continued fraction. At most about half as many entries as this number are
    /// consecutive although they should be spread. A smaller limit refuses more factors, and makes the search for a
    /// factor longer.
    private static final long MAX_QUOTIENT = 128;

    /// A table is crowded if its entries are farther from their homes than random keys would be on average, by a quarter
    /// and by this number multiplied by the square root of the number of entries. In full tables of 64 to 262,144 homes,
    /// random keys were farther by 26 times the square root at most.
    private static final double MAX_DEVIATION = 30;
    private static final double MAX_RATIO = 1.25;

    private HashedLongs() {}

    /// Returns whether another factor would distribute the keys better.
    ///
    /// @param distance the sum of the distances of the entries from their homes
    /// @param expected the sum to expect with random keys
    static boolean isCrowded(double distance, double expected, long size) {
        return distance > MAX_RATIO * expected + MAX_DEVIATION * Math.sqrt((double) size);
    }

    /// Returns an odd, secret factor for a map.
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
        // Newton's iteration. An odd number and its inverse have the same lowest 3 bits, and each step doubles the
        // number of correct bits.
        long inverse = factor;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - factor * inverse;
        }
        return inverse;
    }

    static boolean distributes(long factor) {
        for (int shift = 0; shift <= MAX_SHIFT; shift++) {
            // Euclid's algorithm on 2^64 and the factor, for denominators below about 2^32. No remainder is 0 in this
            // range, since the greatest common divisor is a small power of two.
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
