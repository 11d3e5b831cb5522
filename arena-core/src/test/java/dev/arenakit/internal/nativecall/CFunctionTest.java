package dev.arenakit.internal.nativecall;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CFunctionTest {
    private static final SymbolLookup WITHOUT_FUNCTIONS = _ -> Optional.empty();

    @Test
    void handle_ofAFunctionThatIsMissing_throwsAtEachCall() {
        MethodHandle missing = CFunction.FALLOCATE.handle(WITHOUT_FUNCTIONS, CFunction.FALLOCATE.type(),
                Linker.Option.captureCallState("errno"));
        assertThat(missing.type())
                .isEqualTo(CFunction.FALLOCATE.handle(Linker.Option.captureCallState("errno")).type());
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> {
                try {
                    int _ = (int) missing.invokeExact(MemorySegment.NULL, 1, 0, 0L, 0L);
                } catch (Throwable t) {
                    throw NativeCalls.unexpected(t);
                }
            }).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("C library lacks a function: name=fallocate, system=" + System.getProperty("os.name")
                            + ", architecture=" + System.getProperty("os.arch"));
        }
    }
}
