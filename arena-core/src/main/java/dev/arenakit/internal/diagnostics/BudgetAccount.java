package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.internal.ByteAccount;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bytes of one kind, memory or disk, that are reserved on a budget and on all budgets below it.
///
/// Thread-safe.
final class BudgetAccount implements ByteAccount {
    private final Budget budget;
    private final String kind;
    private final @Nullable BudgetAccount parent;
    final long maxByteSize;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();

    BudgetAccount(Budget budget, String kind, @Nullable BudgetAccount parent, long maxByteSize) {
        this.budget = budget;
        this.kind = kind;
        this.parent = parent;
        this.maxByteSize = maxByteSize;
    }

    long reservedByteSize() {
        return reserved.get();
    }

    long peakByteSize() {
        return peak.get();
    }

    long refusals() {
        return refusals.get();
    }

    @Override
    public boolean reserve(long byteSize) {
        for (BudgetAccount account = this; account != null; account = account.parent) {
            // An addition and, rarely, its rollback: a loop of compareAndSet is slower, and slower still with many
            // threads.
            long before = account.reserved.getAndAdd(byteSize);
            if (byteSize > account.maxByteSize - before) {
                releaseUpTo(account, byteSize);
                return false;
            }
        }
        for (BudgetAccount account = this; account != null; account = account.parent) {
            account.raisePeak();
        }
        return true;
    }

    private void raisePeak() {
        long now = reserved.get();
        long highest = peak.get();
        while (now > highest && !peak.compareAndSet(highest, now)) {
            highest = peak.get();
        }
    }

    @Override
    public void release(long byteSize) {
        releaseUpTo(null, byteSize);
    }

    /// Releases bytes on all accounts from this one to the last one, or to the root (null).
    private void releaseUpTo(@Nullable BudgetAccount last, long byteSize) {
        BudgetAccount end = last == null ? null : last.parent;
        for (BudgetAccount account = this; account != null && account != end; account = account.parent) {
            account.reserved.getAndAdd(-byteSize);
        }
    }

    @Override
    public long available() {
        long least = Long.MAX_VALUE;
        for (BudgetAccount account = this; account != null; account = account.parent) {
            least = Math.min(least, account.maxByteSize - account.reserved.get());
        }
        return least;
    }

    @Override
    public BudgetExceededException exceeded(long byteSize) {
        BudgetAccount tightest = this;
        long used = reserved.get();
        for (BudgetAccount account = parent; account != null; account = account.parent) {
            long usedHere = account.reserved.get();
            if (account.maxByteSize - usedHere < tightest.maxByteSize - used) {
                tightest = account;
                used = usedHere;
            }
        }
        tightest.refusals.getAndIncrement();
        return new BudgetExceededException(budget.path(), tightest.budget.path(), kind, tightest.maxByteSize, used,
                byteSize);
    }

    @Override
    public void openPool() {
        budget.openPool();
    }

    @Override
    public void closePool() {
        budget.closePool();
    }
}
