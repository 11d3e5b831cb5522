package dev.arenakit.testing;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Assertions about arguments that are refused.
public final class Refusals {
    private Refusals() {}

    /// Asserts that a call throws an [IllegalArgumentException] whose message contains all parts.
    public static void assertRefused(ThrowingCallable call, String... parts) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContainingAll(parts);
    }
}
