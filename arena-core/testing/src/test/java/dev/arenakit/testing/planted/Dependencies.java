package dev.arenakit.testing.planted;

import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Dependencies on classes that are neither named nor in java.base.
public final class Dependencies {
    private Dependencies() {}

    /// Depends on a module of the JDK other than java.base.
    public static final class OnLogging {
        private OnLogging() {}

        static boolean log() {
            return Logger.getLogger("planted").getUseParentHandlers();
        }
    }

    /// Depends on a library, by an annotation.
    public static final class OnALibrary {
        private OnALibrary() {}

        @Test
        void test() {}
    }

    /// Depends on another class of ours, by a type argument.
    public static final class OnAnotherClass {
        private OnAnotherClass() {}

        static int count(List<OnLogging> others) {
            return others.size();
        }
    }

    /// Depends on java.base alone.
    public static final class OnNothing {
        private OnNothing() {}

        static int count(List<String[]> others) {
            return others.size();
        }
    }
}
