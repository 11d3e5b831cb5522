package dev.arenakit.internal.diagnostics.event;

import dev.arenakit.diagnostics.Leak;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A leak as an event of JFR. The stack of the event would be the stack of the report, so the stack of
/// the opening is a text.
@Name("dev.arenakit.ArenaLeak")
@Label("Arena Leak")
@Category("Arenakit")
@Description("An arena that leaks, or that may leak")
@StackTrace(false)
final class LeakEvent extends Event {
    @Label("Reason")
    String reason;

    @Label("Arena")
    String arena;

    @Label("Name")
    @Description("The name of the arena or of its pool, empty if it has none")
    String name;

    @Label("Opening Thread")
    String openingThread;

    @Label("Age")
    @Timespan
    long age;

    @Label("Held Memory")
    @DataAmount
    long byteSize;

    @Label("Opened At")
    String openedAt;

    private LeakEvent(Leak leak) {
        reason = leak.reason().name();
        arena = leak.arena();
        name = leak.name();
        openingThread = leak.threadName();
        age = leak.age().toNanos();
        byteSize = leak.byteSize();
        openedAt = leak.stack().stream().map(StackTraceElement::toString).collect(Collectors.joining("\n"));
    }

    static void commit(Leak leak) {
        new LeakEvent(leak).commit();
    }
}
