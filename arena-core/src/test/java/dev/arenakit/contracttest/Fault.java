package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A [TinyArena] with one wrong step, and the tests of the contract that must detect it.
///
/// @param name         a description of the fault
/// @param capabilities the capabilities of the arena
/// @param opener       opens such an arena
/// @param caughtBy     the names of the tests that must fail
record Fault(String name, Capabilities capabilities, Opener opener, List<String> caughtBy) {
    static final Capabilities CONFINED = Capabilities.ofConfined();
    static final Capabilities SHARED = Capabilities.ofShared();

    interface Opener {
        Arena open(TinyPool pool);
    }

    /// A fault that the named tests must detect.
    static Fault of(String name, Capabilities capabilities, Opener opener, String... caughtBy) {
        return new Fault(name, capabilities, opener, List.of(caughtBy));
    }

    /// All planted faults.
    static Stream<Fault> all() {
        return Stream
                .of(AllocationFaults.ALL, ContentFaults.ALL, RefusalFaults.ALL, LifetimeFaults.ALL,
                        RaceFaults.ALL)
                .flatMap(List::stream);
    }

    /// Opens the window of a race for other threads, also on a machine with one processor.
    static void window() {
        window(20_000);
    }

    /// Opens the window of a race for this time.
    static void window(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    public String toString() {
        return name;
    }
}
