package dev.arenakit.internal.standin;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// As if jextract had made it of a header; of a large one it makes several classes, of which the last inherits all.
public final class Standin_h extends Standin_h_1 {
    private Standin_h() {}

    /// `#define LIMIT 255`
    public static int LIMIT() {
        return 255;
    }

    /// `void *search(const void *key, size_t count, int flags)`
    @SuppressWarnings("restricted") // As jextract has it.
    public static FunctionDescriptor search$descriptor() {
        return FunctionDescriptor.of(ADDRESS, ADDRESS.withTargetLayout(sequenceLayout(8, JAVA_BYTE)), JAVA_LONG,
                JAVA_INT);
    }

    /// `int print(const char *format, ...)`
    public static final class print {
        private final FunctionDescriptor descriptor;

        private print(FunctionDescriptor descriptor) {
            this.descriptor = descriptor;
        }

        /// The function with more arguments.
        public static print makeInvoker(MemoryLayout... layouts) {
            return new print(FunctionDescriptor.of(JAVA_INT, ADDRESS).appendArgumentLayouts(layouts));
        }

        /// The type.
        public FunctionDescriptor descriptor() {
            return descriptor;
        }
    }
}
