package dev.arenakit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of every arena, for the forms that [MallocArenaContractTest] leaves out.
@Tag("full")
@EnumSource(value = MallocArenaContractTest.Kind.class, names = MallocArenaContractTest.TELLING,
        mode = EnumSource.Mode.MATCH_NONE)
class MallocArenaFormsContractTest extends MallocArenaContractTest {
    MallocArenaFormsContractTest(Kind kind) {
        super(kind);
    }
}
