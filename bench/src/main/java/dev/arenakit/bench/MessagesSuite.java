package dev.arenakit.bench;

import dev.arenakit.bench.Suite.Iterations;
import dev.arenakit.bench.micro.Messages;
import dev.arenakit.bench.micro.RoundTrips;
import java.time.Duration;
import java.util.List;

/// The suite that measures messages between threads and between processes.
///
/// Round trips are timed one by one. The benchmarks of throughput have no percentiles.
final class MessagesSuite {
    static final Suite SUITE = new Suite("messages", "Messages between threads and between processes",
            Suite.Kind.TAILS, 5,
            new Iterations(6, Duration.ofMillis(300)),
            new Iterations(6, Duration.ofMillis(500)),
            Suites.cells(
                    CellGrid.of(Messages.class)
                            .with("producers", "one", "many")
                            .with("byteSize", "32", "256")
                            .with("written", "copied", "in place")
                            .methods("agrona", "agronaUnchecked", "ring"),
                    CellGrid.of(RoundTrips.class)
                            .every("peer")
                            .with("batch", "1")
                            .methods("agrona", "ringSpin", "ringFutex", "pipe", "socket")),
            List.of());

    private MessagesSuite() {}
}
