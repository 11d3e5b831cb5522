package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.LeakDetection;
import dev.arenakit.internal.diagnostics.event.Warnings;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/// The leak detection that system properties choose for pools and arenas whose builders choose none.
///
/// It is for tests of programs that create their arenas deep inside. It is a constant, so that C2 omits what depends on
/// it.
public final class LeakProperty {
    private static final String NAME = "dev.arenakit.leakDetection";
    private static final String LONGEST_OPEN = NAME + ".longestOpen";

    /// The choice, or null for none.
    public static final @Nullable LeakDetection DETECTION = read();

    private LeakProperty() {}

    /// Checks the options of a builder.
    public static LeakDetection withoutReclaim(LeakDetection detection) {
        if (detection.reclaimLeaked()) {
            throw new IllegalArgumentException("Builders do not accept reclaimLeaked: open a shared arena, and wrap it "
                    + "by LeakDetector.wrap");
        }
        return detection;
    }

    /// How to find arenas that are open: the end of a message that cannot name them.
    public static String hint() {
        return " (start with -D" + NAME + "=ALL to see where they were opened)";
    }

    private static @Nullable LeakDetection read() {
        LeakDetection detection = readLevel();
        String longestOpen = System.getProperty(LONGEST_OPEN);
        if (longestOpen == null) {
            return detection;
        }
        if (detection == null) {
            Warnings.ofLeaks("No arena is watched, and the longest time has no effect: " + LONGEST_OPEN + "="
                    + longestOpen + "; set " + NAME + " to SAMPLED or ALL, too", null);
            return null;
        }
        try {
            return detection.longestOpen(Duration.parse(longestOpen));
        } catch (DateTimeParseException | IllegalArgumentException e) {
            Warnings.ofLeaks("Arenas may be open for any time, because the property is not a positive duration: "
                    + LONGEST_OPEN + "=" + longestOpen + "; write it as PT10M or PT30S", null);
            return detection;
        }
    }

    private static @Nullable LeakDetection readLevel() {
        String value = System.getProperty(NAME);
        return switch (value) {
            case null -> null;
            case "ALL" -> LeakDetection.ALL;
            case "SAMPLED" -> LeakDetection.SAMPLED;
            default -> {
                Warnings.ofLeaks("Leak detection is off, because the property is neither ALL nor SAMPLED: " + NAME + "="
                        + value, null);
                yield null;
            }
        };
    }
}
