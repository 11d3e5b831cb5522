package dev.arenakit.bench.contract;

import dev.arenakit.bench.candidate.ArenaFactory;
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
    private static @Nullable ArenaFactory factory;

    static void setProvider(ArenaProvider provider, ArenaFactory factory) {
        ProviderContract.provider = provider;
        ProviderContract.factory = factory;
    }

    private static ArenaProvider provider() {
        return Objects.requireNonNull(provider);
    }

    @Override
    public Arena open() {
        return Objects.requireNonNull(factory).open();
    }

    @Override
    public Capabilities capabilities() {
        Capabilities threads = provider().isShared() ? Capabilities.ofShared() : Capabilities.ofConfined();
        Capabilities zeroing = provider().isZeroed() ? threads : threads.withoutZeroing();
        Capabilities scopes = provider().hasScopePerAllocation() ? zeroing.withScopePerAllocation() : zeroing;
        return scopes.withLargestAlignment(provider().largestAlignment());
    }
}
