package dev.arenakit.internal.nativecall;

import dev.arenakit.internal.nativecall.sample.Sample_h;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.StructLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.internal.nativecall.CFunction.Type.ADDRESS_AS_LONG;
import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

/// Correct declarations pass, and each planted fault is reported.
class HeaderCheckTest {
    private final HeaderCheck check = new HeaderCheck(new GeneratedHeader(Sample_h.class));

    @ParameterizedTest
    @CsvSource({"constant,LIMIT", "constant,WIDE", "function,search", "function,release", "function,print",
            "struct,Entry"})
    void included_aNameThatWasGenerated_passes(String kind, String name) {
        assertThat(check.included(new IncludeList.Entry(kind, name))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"constant,BOGUS", "function,bogus", "struct,Bogus", "function,LIMIT", "struct,search",
            "constant,release"})
    void included_aNameThatWasNot_isNamed(String kind, String name) {
        assertThat(check.included(new IncludeList.Entry(kind, name))).containsExactly("not generated");
    }

    @ParameterizedTest
    @CsvSource({"LIMIT,255,", "WIDE,1099511627776,", "LIMIT,254,'value: ours=254, header=255'",
            "WIDE,0,'value: ours=0, header=1099511627776'", "BOGUS,255,not generated"})
    void constant_ofTheHeaderOrNot_isCompared(String name, long value, @Nullable String difference) {
        assertThat(check.constant(name, value)).isEqualTo(difference == null ? List.of() : List.of(difference));
    }

    @Test
    void function_ofTheHeader_passes() {
        assertThat(check.function("search", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT), false))
                .isEmpty();
        assertThat(check.function("release", FunctionDescriptor.ofVoid(ADDRESS), false)).isEmpty();
        assertThat(check.function("print", FunctionDescriptor.of(JAVA_INT, ADDRESS), true)).isEmpty();
    }

    @Test
    void function_withALongThatSaysItIsAnAddress_passes() {
        FunctionDescriptor longs = FunctionDescriptor.of(ADDRESS_AS_LONG, ADDRESS_AS_LONG, JAVA_LONG, JAVA_INT);
        assertThat(check.function("search", longs, false)).isEmpty();
    }

    @Test
    void function_withAnIntForALong_isNamed() {
        assertThat(check.function("search", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_INT), false))
                .containsExactly("type: ours=(a8i4i4)a8, header=(a8:[8:b1]j8i4)a8");
    }

    @Test
    void function_withAnotherType_isNamed() {
        for (FunctionDescriptor wrong : List.of(
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG),
                FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT),
                FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_INT),
                FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS_AS_LONG, JAVA_INT),
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG),
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT),
                FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_INT))) {
            assertThat(check.function("search", wrong, false)).singleElement().asString().startsWith("type: ours=");
        }
        assertThat(check.function("release", FunctionDescriptor.of(JAVA_INT, ADDRESS), false)).hasSize(1);
    }

    @Test
    void function_thatIsVariadicHereOrThereOnly_isNamed() {
        assertThat(check.function("print", FunctionDescriptor.of(JAVA_INT, ADDRESS), false))
                .containsExactly("variadic: ours=false, header=true");
        assertThat(check.function("release", FunctionDescriptor.ofVoid(ADDRESS), true))
                .containsExactly("variadic: ours=true, header=false");
    }

    @Test
    void function_thatTheHeaderLacks_isNamed() {
        assertThat(check.function("bogus", FunctionDescriptor.ofVoid(), false)).containsExactly("not generated");
    }

    @Test
    void struct_ofTheHeader_passes() {
        assertThat(check.struct(structLayout(JAVA_LONG.withName("key"), JAVA_INT.withName("length"),
                JAVA_SHORT.withName("kind"), paddingLayout(2)).withName("Entry"))).isEmpty();
    }

    @Test
    void struct_ofWhichSomeMembersAreWritten_passes() {
        assertThat(check.struct(structLayout(paddingLayout(8), JAVA_INT.withName("length"), paddingLayout(4))
                .withName("Entry")
                .withByteAlignment(8))).isEmpty();
    }

    @Test
    void struct_withAMemberElsewhere_isNamed() {
        StructLayout moved = structLayout(JAVA_INT.withName("length"), paddingLayout(4), JAVA_LONG.withName("key"))
                .withName("Entry");
        assertThat(check.struct(moved))
                .containsExactly("length: offset: ours=0, header=8", "key: offset: ours=8, header=0");
    }

    @Test
    void struct_withAMemberOfAnotherType_isNamed() {
        StructLayout narrow = structLayout(JAVA_INT.withName("key"), paddingLayout(12)).withName("Entry")
                .withByteAlignment(8);
        assertThat(check.struct(narrow)).containsExactly("key: type: ours=i4(key), header=j8(key)");
    }

    @Test
    void struct_withALongForAnAddress_isNamed() {
        StructLayout named = structLayout(paddingLayout(16), ADDRESS_AS_LONG).withName("Node");
        assertThat(check.struct(named)).containsExactly("address: type: ours=j8(address), header=a8(address)");
        assertThat(check.struct(structLayout(JAVA_LONG.withName("key"), paddingLayout(8), ADDRESS.withName("address"))
                .withName("Node"))).isEmpty();
    }

    @Test
    void struct_ofAnotherSizeOrAlignment_isNamed() {
        assertThat(check.struct(structLayout(JAVA_LONG.withName("key")).withName("Entry")))
                .containsExactly("size: ours=8, header=16");
        assertThat(check.struct(structLayout(paddingLayout(16)).withName("Entry")))
                .containsExactly("alignment: ours=1, header=8");
    }

    @Test
    void struct_withAMemberThatTheHeaderLacks_isNamed() {
        StructLayout bogus = structLayout(JAVA_LONG.withName("bogus"), paddingLayout(8)).withName("Entry");
        assertThat(check.struct(bogus)).containsExactly("bogus: no member of the header's struct");
    }

    @Test
    void struct_thatTheHeaderLacks_isNamed() {
        assertThat(check.struct(structLayout(JAVA_LONG).withName("Bogus"))).containsExactly("not generated");
    }
}
