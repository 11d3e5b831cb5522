package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.stored.StoreDirectory;
import dev.arenakit.bench.micro.MicroBenchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/// What the benchmarks of stores have in common: the kind of files, and the flags that the libraries need. All JVMs
/// have the same flags.
// Chronicle Map needs the exports, and the opened packages but sun.nio.ch, which LMDB needs, as java.nio. Both use
// Unsafe.
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JvmArgs.NO_CHRONICLE_ANALYTICS, JvmArgs.LMDB_UNCHECKED,
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
        "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"})
public abstract class StoredBenchmark extends MicroBenchmark {
    /// The files: in memory, or on the disk of the build directory.
    @Param({StoreDirectory.TMPFS, StoreDirectory.DISK})
    public String files = "";
}
