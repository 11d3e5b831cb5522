package dev.arenakit.bench.contestant;

/// What the JVM of a benchmark is started with. JMH hands it on from the annotation, not from the jar's manifest.
public final class JvmArgs {
    /// Leave to call native code.
    public static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    /// What makes JMH run a benchmark on virtual threads.
    public static final String VIRTUAL_THREADS = "-Djmh.executor=VIRTUAL";

    /// What Agrona needs: its buffers are made of the JDK's own Unsafe.
    public static final String OPEN_UNSAFE = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private JvmArgs() {}
}
