package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Work;
import dev.arenakit.bench.report.Question;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/// What does a scope's worth of work cost a thread while others do the same, each with arenas of its own?
///
/// The figure is for one operation of one thread: where threads do not hinder each other, it is that of one thread alone. On a
/// machine with fewer cores than threads they take turns, and only the CPU time can be compared.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public abstract class Concurrent {
    /// An arena.
    @Benchmark
    public long arena(Contestant contestant, Work work) {
        try (Arena arena = contestant.open()) {
            return work.run(arena);
        }
    }

    /// Two threads.
    @Question("two threads")
    @Threads(2)
    public static class OfTwo extends Concurrent {
        /// Created by JMH.
        public OfTwo() {}
    }

    /// Four threads.
    @Question("four threads")
    @Threads(4)
    public static class OfFour extends Concurrent {
        /// Created by JMH.
        public OfFour() {}
    }

    /// One virtual thread.
    @Question("one virtual thread")
    @Threads(1)
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK, JvmArgs.VIRTUAL_THREADS})
    public static class OneVirtual extends Concurrent {
        /// Created by JMH.
        public OneVirtual() {}
    }

    /// Two virtual threads.
    @Question("two virtual threads")
    @Threads(2)
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK, JvmArgs.VIRTUAL_THREADS})
    public static class OfVirtual extends Concurrent {
        /// Created by JMH.
        public OfVirtual() {}
    }
}
