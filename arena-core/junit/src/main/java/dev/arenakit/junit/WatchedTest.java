package dev.arenakit.junit;

import dev.arenakit.diagnostics.Leak;

/// One test with [NoLeaks].
final class WatchedTest {
    final TestArenas arenas = new TestArenas();
    private final String className;
    /// Whether another test of the same class has run meanwhile; guarded by the lock of [WatchedRun].
    boolean hasSibling;
    private long threadId;

    WatchedTest(Class<?> testClass) {
        className = topLevel(testClass.getName());
    }

    void begin() {
        threadId = Thread.currentThread().threadId();
    }

    boolean isSibling(WatchedTest other) {
        return className.equals(other.className);
    }

    /// Whether an arena that was opened during the test was opened by the test.
    boolean hasOpened(Leak leak) {
        return leak.threadId() == threadId || (!hasSibling && leak.stack()
                .stream()
                .anyMatch(frame -> topLevel(frame.getClassName()).equals(className)));
    }

    private static String topLevel(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
