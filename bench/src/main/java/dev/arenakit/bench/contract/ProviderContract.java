package dev.arenakit.bench.contract;

import dev.arenakit.bench.candidate.ArenaFactory;
import dev.arenakit.bench.candidate.ArenaProvider;
import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import java.lang.foreign.Arena;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// The contract's tests for the arenas of a provider.
@ExtendWith(ProviderContract.FullArenas.class)
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

    /// Makes a test fail whose arena has no more memory. JUnit would end the whole run.
    static final class FullArenas implements InvocationInterceptor {
        @Override
        public void interceptTestMethod(Invocation<@Nullable Void> invocation,
                ReflectiveInvocationContext<Method> context, ExtensionContext extension) throws Throwable {
            try {
                invocation.proceed();
            } catch (OutOfMemoryError e) {
                AssertionError failure = new AssertionError(e.toString());
                failure.setStackTrace(e.getStackTrace());
                throw failure;
            }
        }
    }
}
