package dev.arenakit.internal.diagnostics.event;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The classes of the events, each with its stack trace. Only [MemoryEvents] uses this class.
final class JfrEventTypes {
    private JfrEventTypes() {}

    static boolean areOn() {
        return FlightRecorder.isInitialized();
    }

    static boolean sample(String pool, String kind, long byteSize, long weight) {
        Sample event = new Sample();
        if (!event.shouldCommit()) {
            return false;
        }
        event.pool = pool;
        event.kind = kind;
        event.byteSize = byteSize;
        event.weight = weight;
        event.commit();
        return true;
    }

    static void poolGrown(String pool, long slabByteSize, long heldByteSize, Supplier<String> holders) {
        PoolGrown event = new PoolGrown();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.slabByteSize = slabByteSize;
            event.heldByteSize = heldByteSize;
            event.holders = holders.get();
            event.commit();
        }
    }

    static void poolTrimmed(String pool, long freedByteSize, long heldByteSize) {
        PoolTrimmed event = new PoolTrimmed();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.freedByteSize = freedByteSize;
            event.heldByteSize = heldByteSize;
            event.commit();
        }
    }

    static void poolFull(String pool, long maxByteSize, long heldByteSize, long requestedByteSize,
            long openArenas) {
        PoolFull event = new PoolFull();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.maxByteSize = maxByteSize;
            event.heldByteSize = heldByteSize;
            event.requestedByteSize = requestedByteSize;
            event.openArenas = openArenas;
            event.commit();
        }
    }

    static void budgetExceeded(String path, String exceeded, String kind, long limit, long used, long requested) {
        BudgetExceeded event = new BudgetExceeded();
        if (event.shouldCommit()) {
            event.budget = path;
            event.exceeded = exceeded;
            event.kind = kind;
            event.limit = limit;
            event.used = used;
            event.requested = requested;
            event.commit();
        }
    }

    static void imageOpened(String base, boolean reopened) {
        ImageOpened event = new ImageOpened();
        if (event.shouldCommit()) {
            event.base = base;
            event.reopened = reopened;
            event.commit();
        }
    }

    static void diskReserved(String file, long byteSize) {
        DiskReserved event = new DiskReserved();
        if (event.shouldCommit()) {
            event.file = file;
            event.byteSize = byteSize;
            event.commit();
        }
    }

    @Name("dev.arenakit.MemorySample")
    @Label("Pool Memory Sample")
    @Category("Arenakit")
    @Description("An arena of a pool needs a further slab or a large block, one event for each 512 KiB; or it is opened "
            + "with a slab that its thread does not own, one event for 128 openings")
    @StackTrace
    static final class Sample extends Event {
        @Label("Pool")
        @Description("The name of the pool, empty if it has none")
        String pool = "";

        @Label("Kind")
        String kind = "";

        @Label("Size")
        @DataAmount
        long byteSize;

        @Label("Sample Weight")
        @Description("The bytes for which the event stands")
        @DataAmount
        long weight;
    }

    @Name("dev.arenakit.PoolGrown")
    @Label("Pool Grown")
    @Category("Arenakit")
    @Description("A pool has allocated a slab")
    @StackTrace
    static final class PoolGrown extends Event {
        @Label("Pool")
        @Description("The name of the pool, empty if it has none")
        String pool = "";

        @Label("Slab Size")
        @DataAmount
        long slabByteSize;

        @Label("Size of the Pool")
        @DataAmount
        long heldByteSize;

        @Label("Holders")
        @Description("Where open arenas of the pool were opened, the places with most arenas first: arenas with a "
                + "MemorySample since the recording began, and arenas that are watched for leaks")
        String holders = "";
    }

    @Name("dev.arenakit.PoolTrimmed")
    @Label("Pool Trimmed")
    @Category("Arenakit")
    @Description("A pool has freed idle slabs")
    @StackTrace
    static final class PoolTrimmed extends Event {
        @Label("Pool")
        @Description("The name of the pool, empty if it has none")
        String pool = "";

        @Label("Freed")
        @DataAmount
        long freedByteSize;

        @Label("Size of the Pool")
        @DataAmount
        long heldByteSize;
    }

    @Name("dev.arenakit.PoolFull")
    @Label("Pool Full")
    @Category("Arenakit")
    @Description("A pool has refused memory")
    @StackTrace
    static final class PoolFull extends Event {
        @Label("Pool")
        @Description("The name of the pool, empty if it has none")
        String pool = "";

        @Label("Limit")
        @DataAmount
        long maxByteSize;

        @Label("Size of the Pool")
        @DataAmount
        long heldByteSize;

        @Label("Requested")
        @DataAmount
        long requestedByteSize;

        @Label("Open Arenas")
        long openArenas;
    }

    @Name("dev.arenakit.BudgetExceeded")
    @Label("Budget Exceeded")
    @Category("Arenakit")
    @Description("A budget has refused memory or disk space")
    @StackTrace
    static final class BudgetExceeded extends Event {
        @Label("Budget")
        String budget = "";

        @Label("Exceeded Budget")
        String exceeded = "";

        @Label("Kind")
        String kind = "";

        @Label("Limit")
        @DataAmount
        long limit;

        @Label("Used")
        @DataAmount
        long used;

        @Label("Requested")
        @DataAmount
        long requested;
    }

    @Name("dev.arenakit.ImageOpened")
    @Label("Image Opened")
    @Category("Arenakit")
    @Description("An arena has created or reopened its image")
    @StackTrace
    static final class ImageOpened extends Event {
        @Label("Base")
        String base = "";

        @Label("Reopened")
        boolean reopened;
    }

    @Name("dev.arenakit.DiskReserved")
    @Label("Disk Space Reserved")
    @Category("Arenakit")
    @Description("An arena has reserved disk space for a file")
    @StackTrace
    static final class DiskReserved extends Event {
        @Label("File")
        String file = "";

        @Label("Size")
        @DataAmount
        long byteSize;
    }
}
