package dev.arenakit.junit;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.diagnostics.LeakDetector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// All tests with [NoLeaks] of one run of JUnit, which closes this object after the last test.
final class WatchedRun implements AutoCloseable {
    /// The number of stacks in a message.
    static final int MOST_PLACES = 10;

    /// The numbers of the arenas that were open before the first test, and of those whose test is known.
    private final Set<Long> known = numbers();
    /// The tests that run now, and the numbers of the arenas that were open when each began.
    private final Map<WatchedTest, Set<Long>> running = new HashMap<>();

    private static Set<Long> numbers() {
        return LeakDetector.open().stream().map(Leak::number).collect(Collectors.toCollection(HashSet::new));
    }

    synchronized void begin(WatchedTest test) {
        test.begin();
        for (WatchedTest other : running.keySet()) {
            if (other.isSibling(test)) {
                other.hasSibling = true;
                test.hasSibling = true;
            }
        }
        running.put(test, numbers());
    }

    /// The watched arenas that a test has opened and not closed.
    synchronized List<Leak> end(WatchedTest test) {
        Set<Long> before = running.remove(test);
        List<Leak> leaks = new ArrayList<>();
        for (Leak leak : LeakDetector.open()) {
            if (before != null && !before.contains(leak.number()) && test.hasOpened(leak)
                    && known.add(leak.number())) {
                leaks.add(leak);
            }
        }
        return leaks;
    }

    @Override
    public synchronized void close() {
        List<Leak> unknown = LeakDetector.open().stream().filter(leak -> !known.contains(leak.number())).toList();
        if (!unknown.isEmpty()) {
            System.getLogger("dev.arenakit.leaks")
                    .log(System.Logger.Level.WARNING,
                            "Arenas are open after all tests, and their tests are not known: arenas=" + unknown.size()
                                    + describe(unknown));
        }
    }

    /// Describes a few leaks, each with its stack on lines of its own. Of the leaks with one stack, the text has the
    /// oldest and the number.
    static String describe(List<Leak> leaks) {
        Collection<List<Leak>> places = leaks.stream()
                .map(WatchedRun::withoutRunner)
                .collect(Collectors.groupingBy(Leak::stack, LinkedHashMap::new, Collectors.toList()))
                .values();
        StringBuilder text = new StringBuilder();
        places.stream().limit(MOST_PLACES).forEach(place -> {
            text.append(System.lineSeparator()).append(place.getFirst());
            if (place.size() > 1) {
                text.append(System.lineSeparator()).append("Arenas with this stack: arenas=").append(place.size());
            }
        });
        if (places.size() > MOST_PLACES) {
            text.append(System.lineSeparator())
                    .append("Arenas have other stacks, too: stacks=")
                    .append(places.size() - MOST_PLACES);
        }
        return text.toString();
    }

    private static Leak withoutRunner(Leak leak) {
        List<StackTraceElement> stack = leak.stack()
                .stream()
                .takeWhile(frame -> !frame.getClassName().startsWith("org.junit."))
                .toList();
        return stack.isEmpty()
                ? leak
                : new Leak(leak.reason(), leak.number(), leak.arena(), leak.name(), leak.threadName(), leak.threadId(),
                        leak.age(), leak.byteSize(), stack);
    }
}
