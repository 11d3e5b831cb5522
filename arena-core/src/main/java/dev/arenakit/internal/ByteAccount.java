package dev.arenakit.internal;

/// The account on which a source of memory reserves bytes before it takes them from the system.
///
/// The order of calls is what keeps the account right: [#reserve] comes before the memory is taken, and [#release]
/// after it has been given back. An Error between two steps may leave bytes reserved that nobody has; there is never
/// memory that the account does not count.
///
/// Thread-safe.
public interface ByteAccount {
    /// Reserves bytes, unless a limit refuses them. If other threads are being refused at the same moment, bytes that
    /// would fit may be refused.
    ///
    /// @param byteSize at most [Sizes#ADDRESSABLE]
    /// @return false if they are refused; nothing is reserved then
    boolean reserve(long byteSize);

    /// Returns bytes that were reserved.
    void release(long byteSize);

    /// How many bytes [#reserve] accepts at the moment, negative if less than nothing.
    long available();

    /// Counts a refusal and returns its exception.
    default RuntimeException exceeded(long byteSize) {
        return exceeded(byteSize, "");
    }

    /// Counts a refusal and returns its exception.
    ///
    /// @param values further values for the message, such as `, openArenas=3`
    RuntimeException exceeded(long byteSize, String values);

    /// Counts an arena that uses this account, until [#closeArena].
    ///
    /// @throws IllegalStateException if the budget of this account is closed
    void openArena();

    /// Undoes [#openArena].
    void closeArena();

    /// Counts a pool that uses this account, until [#closePool].
    ///
    /// @throws IllegalStateException if the budget of this account is closed
    void openPool();

    /// Undoes [#openPool].
    void closePool();
}
