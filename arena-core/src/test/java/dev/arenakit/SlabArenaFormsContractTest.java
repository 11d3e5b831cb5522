package dev.arenakit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.EnumSource;

/// The contract of every arena, for the combinations of options that [SlabArenaContractTest] leaves out.
@Tag("full")
@EnumSource(value = SlabArenaContractTest.Kind.class, mode = EnumSource.Mode.MATCH_NONE,
        names = SlabArenaContractTest.TELLING)
class SlabArenaFormsContractTest extends SlabArenaContractTest {
    SlabArenaFormsContractTest(Kind kind) {
        super(kind);
    }
}
