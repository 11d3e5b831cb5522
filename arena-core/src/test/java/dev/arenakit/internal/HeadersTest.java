package dev.arenakit.internal;

import dev.arenakit.internal.Declarations.Declaration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/// What the native room declares by hand is what the C headers of this machine say.
class HeadersTest {
    private static final Path INCLUDE_LIST = Path.of("src/jextract/libc.includes");

    /// What older headers may lack, and which have it. Everything else has to be there.
    private static final Map<String, String> NEWER = Map.of(
            "function statx", "glibc 2.28, musl 1.2.5",
            "struct statx", "glibc 2.28, musl 1.2.5",
            "struct statx_timestamp", "glibc 2.28, musl 1.2.5",
            "constant STATX_BLOCKS", "glibc 2.28, musl 1.2.5");

    @Test
    void includeList_hasEveryDeclaration() throws Exception {
        assertThat(IncludeList.read(INCLUDE_LIST).entries())
                .containsAll(Declarations.all().stream().map(Declaration::entry).toList());
    }

    @Test
    void newer_areOnTheIncludeList() throws IOException {
        assertThat(IncludeList.read(INCLUDE_LIST).entries().stream().map(IncludeList.Entry::toString))
                .containsAll(NEWER.keySet());
    }

    /// So that what is compared is what is called.
    @Test
    void functionsThatShareAHandle_haveOneType() {
        assertThat(List.of(CFunction.REALLOC, CFunction.ALIGNED_ALLOC))
                .allSatisfy(function -> assertThat(function.type().toMethodType())
                        .isEqualTo(CFunction.CALLOC.type().toMethodType()));
    }

    @TestFactory
    @EnabledIfSystemProperty(named = "jextract.executable", matches = ".+", disabledReason = "needs -Pjextract")
    Stream<DynamicTest> includedNames_areGenerated() throws IOException {
        HeaderCheck check = new HeaderCheck(libc());
        return IncludeList.read(INCLUDE_LIST).entries().stream().map(entry -> test(entry, check.included(entry)));
    }

    @TestFactory
    @EnabledIfSystemProperty(named = "jextract.executable", matches = ".+", disabledReason = "needs -Pjextract")
    Stream<DynamicTest> declarations_areThoseOfTheHeaders() throws IllegalAccessException {
        HeaderCheck check = new HeaderCheck(libc());
        return Declarations.all()
                .stream()
                .map(declaration -> test(declaration.entry(), declaration.problems().apply(check)));
    }

    private static DynamicTest test(IncludeList.Entry entry, List<String> problems) {
        String name = entry.toString();
        return dynamicTest(name, () -> {
            assumeTrue(!problems.equals(List.of(HeaderCheck.NOT_GENERATED)) || !NEWER.containsKey(name),
                    () -> "the headers are older than " + NEWER.get(name));
            assertThat(problems).as(name).isEmpty();
        });
    }

    private static GeneratedHeader libc() {
        try {
            return new GeneratedHeader(Class.forName("generated.libc.libc_h"));
        } catch (ClassNotFoundException e) {
            throw new AssertionError("Not generated: build with -Pjextract", e);
        }
    }
}
