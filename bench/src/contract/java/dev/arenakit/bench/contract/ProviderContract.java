package dev.arenakit.bench.contract;

import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The contract's tests for the arenas of a provider.
public final class ProviderContract implements ArenaContract {
    // JUnit creates an instance of this class for each test.
    private static @Nullable ArenaProvider provider;

    static void setProvider(ArenaProvider provider) {
        ProviderContract.provider = provider;
    }

    private static ArenaProvider provider() {
        return Objects.requireNonNull(provider);
    }

    @Override
    public Arena open() {
        return provider().open();
    }

    @Override
    public Capabilities capabilities() {
        Capabilities threads = provider().isShared() ? Capabilities.ofShared() : Capabilities.ofConfined();
        Capabilities zeroing = provider().isZeroed() ? threads : threads.withoutZeroing();
        Capabilities scopes = provider().hasScopePerAllocation() ? zeroing.withScopePerAllocation() : zeroing;
        return scopes.withLargestAlignment(provider().largestAlignment());
    }
}
