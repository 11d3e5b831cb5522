package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JvmArgs;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// What the benchmarks have in common: the mean time of an operation in nanoseconds, an object for each thread, and
/// native access. JMH inherits these annotations; a benchmark that differs repeats the annotation with another value.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public abstract class MicroBenchmark {}
