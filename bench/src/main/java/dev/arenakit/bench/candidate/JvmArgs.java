package dev.arenakit.bench.candidate;

import dev.arenakit.bench.candidate.peer.EventLoopThreads;
import java.util.List;

/// Arguments of the JVMs of benchmarks. JMH takes them from annotations, not from the manifest of the jar.
public final class JvmArgs {
    /// Enables native access.
    public static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /// Adds the module of the Vector API.
    public static final String VECTORS = "--add-modules=jdk.incubator.vector";

    /// Makes JMH run a benchmark on virtual threads.
    public static final String VIRTUAL_THREADS = "-Djmh.executor=VIRTUAL";

    /// Makes JMH run a benchmark on threads of a class that another argument names.
    public static final String CUSTOM_THREADS = "-Djmh.executor=CUSTOM";

    /// Names [EventLoopThreads].
    public static final String EVENT_LOOP = "-Djmh.executor.class=dev.arenakit.bench.candidate.peer.EventLoopThreads";

    /// Makes the pool of a thread, from which confined arenas of JDK 28 allocate, as large as 64 KiB.
    public static final String CONFINED_POOL_64K = "-Djdk.internal.foreign.native.confined.pool.power.size=16";

    /// Switches LWJGL's checks off.
    public static final String LWJGL_UNCHECKED = "-Dorg.lwjgl.util.NoChecks=true";

    /// Makes the JVM assume 64 processors.
    public static final String PROCESSORS_64 = "-XX:ActiveProcessorCount=64";

    /// Switches the checks of bounds in Agrona's buffers off.
    public static final String AGRONA_UNCHECKED = "-Dagrona.disable.bounds.checks=true";

    /// Opens the JDK's internal Unsafe, which Agrona's buffers use.
    public static final String OPEN_UNSAFE = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    /// Switches the checks of arguments and states in lmdbjava off.
    public static final String LMDB_UNCHECKED = "-Dlmdbjava.disable.checks=true";

    /// Stops Chronicle Map from sending data about its use.
    public static final String NO_CHRONICLE_ANALYTICS = "-Dchronicle.analytics.disable=true";

    /// Exports and opens what Chronicle Map 2026.1 uses. The annotation of its benchmark repeats them.
    public static final List<String> CHRONICLE = List.of("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private JvmArgs() {}
}
