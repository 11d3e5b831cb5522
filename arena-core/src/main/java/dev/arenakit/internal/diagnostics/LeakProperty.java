package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.LeakDetection;
import org.jspecify.annotations.Nullable;

/// The leak detection that a system property chooses for pools and arenas whose builders choose none.
///
/// It is for tests of programs that create their arenas deep inside. It is a constant, so that C2 omits what depends on
/// it.
public final class LeakProperty {
    private static final String NAME = "dev.arenakit.leakDetection";

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

    private static @Nullable LeakDetection read() {
        String value = System.getProperty(NAME);
        return switch (value) {
            case null -> null;
            case "ALL" -> LeakDetection.ALL;
            case "SAMPLED" -> LeakDetection.SAMPLED;
            default -> {
                LeakReports.warn("Leak detection is off, because the property is neither ALL nor SAMPLED: " + NAME + "="
                        + value, null);
                yield null;
            }
        };
    }
}
