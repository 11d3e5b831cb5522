package dev.arenakit.bench.candidate;

/// Arguments of the JVMs of benchmarks. JMH takes them from annotations, not from the manifest of the jar.
public final class JvmArgs {
    /// Enables native access.
    public static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /// Makes JMH run a benchmark on virtual threads.
    public static final String VIRTUAL_THREADS = "-Djmh.executor=VIRTUAL";

    /// Makes the JVM assume 64 processors.
    public static final String PROCESSORS_64 = "-XX:ActiveProcessorCount=64";

    /// Switches the checks of bounds in Agrona's buffers off.
    public static final String AGRONA_UNCHECKED = "-Dagrona.disable.bounds.checks=true";

    /// Opens the JDK's internal Unsafe, which Agrona's buffers use.
    public static final String OPEN_UNSAFE = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    /// Keeps Chronicle Map from reporting its use to its vendor.
    public static final String NO_CHRONICLE_ANALYTICS = "-Dchronicle.analytics.disable=true";

    private JvmArgs() {}
}
