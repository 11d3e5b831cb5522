package dev.arenakit.bench.candidate.stored;

import org.jspecify.annotations.Nullable;

/// A map from records to records that survives the end of the process. A structure in memory implements it for
/// comparison.
public interface StoredRecordMap extends AutoCloseable {
    /// A key of 16 bytes.
    ///
    /// @param venue   any number
    /// @param account any number
    record AccountKey(long venue, long account) {
        private static final int VENUES = 7;

        /// The number of bytes.
        public static final int BYTE_SIZE = 2 * Long.BYTES;

        /// {@return a key for each number}
        ///
        /// @param number any number
        public static AccountKey of(long number) {
            return new AccountKey(number & VENUES, number);
        }
    }

    /// A value of 40 bytes.
    ///
    /// @param quantity the number that the position was made from
    /// @param price    any number
    /// @param fee      any number
    /// @param opened   any number
    /// @param changed  any number
    record Position(long quantity, double price, double fee, long opened, long changed) {
        private static final double TICKS = 4;

        /// The number of bytes.
        public static final int BYTE_SIZE = 5 * Long.BYTES;

        /// {@return a position for each number}
        ///
        /// @param number any number
        public static Position of(long number) {
            return new Position(number, number / TICKS, TICKS, number + 1, number + 2);
        }
    }

    /// Returns the value of a key, or null.
    @Nullable
    Position get(AccountKey key);

    /// Adds an entry, or replaces its value. The change is visible at once, and may get lost until the next commit.
    void put(AccountKey key, Position value);

    /// Removes an entry.
    ///
    /// @return whether it was present
    boolean remove(AccountKey key);

    /// Visits all entries.
    ///
    /// @return the sum of the quantities
    long sum();

    /// Makes all changes as lasting as the library usually does. A store whose changes last at once does nothing.
    void commit();

    /// Closes the store cleanly. Changes that are not committed may get lost.
    @Override
    void close();
}
