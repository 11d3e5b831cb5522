package dev.arenakit.internal.diagnostics.budget;

import dev.arenakit.diagnostics.BudgetExceededException;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bytes of one kind, memory or disk, that are reserved on a budget and on all budgets below it.
///
/// Thread-safe.
final class BudgetAccount implements ByteAccount {
    private static final VarHandle RESERVED;
    private static final VarHandle PEAK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RESERVED = lookup.findVarHandle(BudgetAccount.class, "reserved", long.class).withInvokeExactBehavior();
            PEAK = lookup.findVarHandle(BudgetAccount.class, "peak", long.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Budget budget;
    private final String kind;
    private final @Nullable BudgetAccount parent;
    final long maxByteSize;
    private volatile long reserved;
    private volatile long peak;
    private final AtomicLong refusals = new AtomicLong();

    BudgetAccount(Budget budget, String kind, @Nullable BudgetAccount parent, long maxByteSize) {
        this.budget = budget;
        this.kind = kind;
        this.parent = parent;
        this.maxByteSize = maxByteSize;
    }

    long reservedByteSize() {
        return reserved;
    }

    long peakByteSize() {
        return peak;
    }

    long refusals() {
        return refusals.get();
    }

    @Override
    public boolean reserve(long byteSize) {
        for (BudgetAccount account = this; account != null; account = account.parent) {
            // An addition and, rarely, its rollback: a loop of compareAndSet is slower, and slower still with many
            // threads.
            long before = (long) RESERVED.getAndAdd(account, byteSize);
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
        long now = reserved;
        long highest = peak;
        while (now > highest && !PEAK.compareAndSet(this, highest, now)) {
            highest = peak;
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
            long _ = (long) RESERVED.getAndAdd(account, -byteSize);
        }
    }

    @Override
    public long available() {
        long least = Long.MAX_VALUE;
        for (BudgetAccount account = this; account != null; account = account.parent) {
            least = Math.min(least, account.maxByteSize - account.reserved);
        }
        return least;
    }

    @Override
    public BudgetExceededException exceeded(long byteSize, String values) {
        BudgetAccount tightest = this;
        long used = reserved;
        for (BudgetAccount account = parent; account != null; account = account.parent) {
            long usedHere = account.reserved;
            if (account.maxByteSize - usedHere < tightest.maxByteSize - used) {
                tightest = account;
                used = usedHere;
            }
        }
        tightest.refusals.getAndIncrement();
        MemoryEvents.budgetExceeded(budget.path(), tightest.budget.path(), kind, tightest.maxByteSize, used, byteSize);
        return new BudgetExceededException(budget.path(), tightest.budget.path(), kind, tightest.maxByteSize, used,
                byteSize, values);
    }

    @Override
    public void openArena() {
        budget.openArena();
    }

    @Override
    public void closeArena() {
        budget.closeArena(null);
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
