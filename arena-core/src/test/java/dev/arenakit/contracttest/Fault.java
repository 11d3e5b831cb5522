package dev.arenakit.contracttest;

import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A [TinyArena] with one step done wrong, and the tests of the contract that are there to find it.
///
/// @param name         what is wrong
/// @param capabilities what the arena claims
/// @param opener       opens such an arena
/// @param caughtBy     names of tests, each of which has to fail
record Fault(String name, Capabilities capabilities, Opener opener, List<String> caughtBy) {
    static final Capabilities CONFINED = Capabilities.ofConfined();
    static final Capabilities SHARED = Capabilities.ofShared();

    interface Opener {
        Arena open(TinyPool pool);
    }

    /// A fault that the named tests are to find.
    static Fault of(String name, Capabilities capabilities, Opener opener, String... caughtBy) {
        return new Fault(name, capabilities, opener, List.of(caughtBy));
    }

    /// Every fault that is planted.
    static Stream<Fault> all() {
        return Stream.of(AllocationFaults.ALL, ContentFaults.ALL, RefusalFaults.ALL, LifetimeFaults.ALL, RaceFaults.ALL)
                .flatMap(List::stream);
    }

    /// Opens the window of a race for other threads to get in, on a machine with one processor too.
    static void window() {
        window(20_000);
    }

    /// Opens the window of a race for as long as this.
    static void window(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    public String toString() {
        return name;
    }
}
