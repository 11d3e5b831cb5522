package dev.arenakit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of every arena, for the forms that [FreeListArenaContractTest] leaves out.
@Tag("full")
@EnumSource(value = FreeListArenaContractTest.Kind.class, names = FreeListArenaContractTest.TELLING,
        mode = EnumSource.Mode.MATCH_NONE)
class FreeListArenaFormsContractTest extends FreeListArenaContractTest {
    FreeListArenaFormsContractTest(Kind kind) {
        super(kind);
    }
}
