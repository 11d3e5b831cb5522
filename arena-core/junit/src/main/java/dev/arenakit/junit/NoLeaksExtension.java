package dev.arenakit.junit;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.diagnostics.LeakDetection.Level;
import dev.arenakit.diagnostics.LeakDetector;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Checks the arenas of each test after it.
final class NoLeaksExtension
        implements
            BeforeAllCallback,
            BeforeEachCallback,
            AfterEachCallback,
            ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(NoLeaksExtension.class);

    NoLeaksExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        requireDetection();
    }

    /// Throws if arenas may exist that this extension cannot see. Detection cannot be turned on here: a pool that was
    /// built without it never watches an arena.
    private static void requireDetection() {
        Optional<Level> level = LeakDetector.defaultDetection().map(LeakDetection::level);
        if (level.equals(Optional.of(Level.ALL))) {
            return;
        }
        throw new IllegalStateException("@NoLeaks does not see all arenas of pools: leakDetection="
                + level.map(Level::name).orElse("off") + "; start the tests with -Ddev.arenakit.leakDetection=ALL, "
                + """
                        which is read before the first pool is built. In the configuration of Surefire:
                        <systemPropertyVariables>
                          <dev.arenakit.leakDetection>ALL</dev.arenakit.leakDetection>
                        </systemPropertyVariables>""");
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // The annotation of a method has no beforeAll.
        requireDetection();
        run(context).begin(test(context));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        WatchedTest test = test(context);
        List<Leak> leaks = run(context).end(test);
        List<Throwable> opened = test.arenas.open();
        if (leaks.isEmpty() && opened.isEmpty()) {
            return;
        }
        AssertionError failure = new AssertionError(
                "The test left arenas open: arenas=" + (leaks.size() + opened.size()) + "; close them"
                        + WatchedRun.describe(leaks));
        opened.stream().limit(WatchedRun.MOST_PLACES).forEach(failure::addSuppressed);
        throw failure;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent() && (type == Arena.class || type == TestArenas.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestArenas arenas = test(context).arenas;
        return parameter.getParameter().getType() == Arena.class ? arenas.ofConfined() : arenas;
    }

    private static WatchedTest test(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(context.getUniqueId(), _ -> new WatchedTest(context.getRequiredTestClass()),
                        WatchedTest.class);
    }

    private static WatchedRun run(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(WatchedRun.class, _ -> new WatchedRun(), WatchedRun.class);
    }
}
