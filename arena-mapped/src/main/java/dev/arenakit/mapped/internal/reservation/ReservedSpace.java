package dev.arenakit.mapped.internal.reservation;

import dev.arenakit.internal.ByteAccount;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The disk space that one arena has reserved since it was opened, and the budget that it counts on, if there is one.
///
/// Space that a freed allocation keeps stays counted. Thread-safe.
public final class ReservedSpace {
    private final @Nullable ByteAccount account;
    private final AtomicLong byteSize = new AtomicLong();

    public ReservedSpace(@Nullable ByteAccount account) {
        this.account = account;
    }

    /// Counts space before it is reserved, unless the budget refuses it.
    boolean add(long added) {
        if (account != null && !account.reserve(added)) {
            return false;
        }
        byteSize.getAndAdd(added);
        return true;
    }

    /// Counts space before it is reserved.
    ///
    /// @throws dev.arenakit.CapacityExceededException if the budget is exceeded; nothing is counted then
    void require(long added) {
        if (!add(added)) {
            throw exceeded(added);
        }
    }

    /// The exception of space that the budget has refused.
    RuntimeException exceeded(long refused) {
        if (account == null) {
            throw new IllegalStateException("There is no budget");
        }
        return account.exceeded(refused);
    }

    /// Undoes [#add].
    void subtract(long subtracted) {
        byteSize.getAndAdd(-subtracted);
        if (account != null) {
            account.release(subtracted);
        }
    }

    /// Subtracts everything when the arena has been closed. The files keep their space.
    public void close() {
        long all = byteSize.getAndSet(0);
        if (account != null) {
            account.release(all);
        }
    }

    /// The counted space.
    public long byteSize() {
        return byteSize.get();
    }
}
