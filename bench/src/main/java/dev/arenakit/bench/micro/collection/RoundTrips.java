package dev.arenakit.bench.micro.collection;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Latency;
import dev.arenakit.bench.candidate.message.EchoPeer;
import dev.arenakit.bench.candidate.message.MessageLinks;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/// Measures how long a message of 8 bytes takes to a peer and back.
///
/// The peer waits in the same way as the benchmark. Candidates that spin need two processors that do nothing else.
@BenchmarkName(value = "round trips", baseline = "Agrona",
        measures = "Sends a message of 8 bytes to a thread or a process and receives it back; every time is recorded.")
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.OPEN_UNSAFE})
public class RoundTrips extends MicroBenchmark {
    /// Whether the peer is a thread or a process.
    @Param({EchoPeer.THREAD, EchoPeer.PROCESS})
    public String peer = "";

    private @Nullable EchoPeer echo;

    /// The rings of this library: `RingBuffer.spsc` between threads, `RingFile` between processes.
    @Benchmark
    @CandidateName("RingBuffer, spin")
    public long ringSpin(Latency latency) throws IOException {
        return run(MessageLinks.RING_SPIN, latency);
    }

    /// The same rings with readers that sleep.
    @Benchmark
    @CandidateName("RingBuffer, futex")
    public long ringFutex(Latency latency) throws IOException {
        return run(MessageLinks.RING_FUTEX, latency);
    }

    /// `OneToOneRingBuffer` in mapped files.
    @Benchmark
    @CandidateName("Agrona")
    public long agrona(Latency latency) throws IOException {
        return run(MessageLinks.AGRONA, latency);
    }

    /// Two pipes.
    @Benchmark
    @CandidateName("pipe")
    public long pipe(Latency latency) throws IOException {
        return run(MessageLinks.PIPE, latency);
    }

    /// A Unix-domain socket.
    @Benchmark
    @CandidateName("Unix-domain socket")
    public long socket(Latency latency) throws IOException {
        return run(MessageLinks.SOCKET, latency);
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long run(MessageLinks links, Latency latency) throws IOException {
        EchoPeer other = echo;
        if (other == null) {
            // The first invocation knows the candidate. It belongs to the warm-up.
            other = EchoPeer.start(links, peer);
            echo = other;
        }
        long sum = 0;
        try {
            for (int i = 0; i < latency.batch; i++) {
                sum += other.exchange(i);
            }
        } catch (Throwable t) {
            // JMH tears nothing down after a failure.
            close();
            throw t;
        }
        latency.record();
        return sum;
    }

    /// Ends the peer.
    @TearDown
    public void close() throws IOException {
        EchoPeer ended = echo;
        echo = null;
        if (ended != null) {
            ended.close();
        }
    }
}
