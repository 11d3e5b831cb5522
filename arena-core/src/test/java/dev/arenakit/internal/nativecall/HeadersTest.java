package dev.arenakit.internal.nativecall;

import dev.arenakit.internal.nativecall.Declarations.Declaration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/// The declarations of this package agree with the C headers of this machine.
class HeadersTest {
    private static final Path INCLUDE_LIST = Path.of("src/jextract/libc.includes");
    private static final String NEEDED = "needs jextract: mvn verify -Djextract.executable=/path/of/bin/jextract";

    /// The names that were added together with the function statx, in glibc 2.28 and musl 1.2.5. If the library lacks
    /// statx, its headers lack these names too. All other names must be there.
    private static final Set<String> CAME_WITH_STATX = Set.of("function statx", "struct statx",
            "struct statx_timestamp", "constant STATX_BLOCKS");

    @Test
    void includeList_hasEveryDeclaration() throws Exception {
        assertThat(IncludeList.read(INCLUDE_LIST).entries())
                .containsAll(Declarations.all().stream().map(Declaration::entry).toList());
    }

    /// Ensures that the compared type is the type of the calls.
    @Test
    void functionsThatShareAHandle_haveOneType() {
        assertThat(CFunction.ALIGNED_ALLOC.type().toMethodType()).isEqualTo(CFunction.CALLOC.type().toMethodType());
        assertThat(CFunction.GETENV.type().toMethodType()).isEqualTo(CFunction.MALLOC.type().toMethodType());
        assertThat(CFunction.DLSYM.type().toMethodType()).isEqualTo(CFunction.CALLOC.type().toMethodType());
    }

    @TestFactory
    @EnabledIfSystemProperty(named = "jextract.ran", matches = "true", disabledReason = NEEDED)
    Stream<DynamicTest> includedNames_areGenerated() throws IOException {
        HeaderCheck check = new HeaderCheck(libc());
        return IncludeList.read(INCLUDE_LIST).entries().stream().map(entry -> test(entry, check.included(entry)));
    }

    @TestFactory
    @EnabledIfSystemProperty(named = "jextract.ran", matches = "true", disabledReason = NEEDED)
    Stream<DynamicTest> declarations_areThoseOfTheHeaders() throws IllegalAccessException {
        HeaderCheck check = new HeaderCheck(libc());
        return Declarations.all()
                .stream()
                .map(declaration -> test(declaration.entry(), declaration.problems().apply(check)));
    }

    private static DynamicTest test(IncludeList.Entry entry, List<String> problems) {
        String name = entry.toString();
        return dynamicTest(name, () -> {
            assumeFalse(name.equals("function dlvsym") && CFunction.DLVSYM.find().isEmpty(), "an extension of glibc");
            assumeFalse(isTooNew(name, problems, CFunction.STATX.find().isPresent()), "newer than the C library");
            assertThat(problems).as(name).isEmpty();
        });
    }

    private static boolean isTooNew(String name, List<String> problems, boolean libraryHasStatx) {
        return !libraryHasStatx && CAME_WITH_STATX.contains(name)
                && problems.equals(List.of(HeaderCheck.NOT_GENERATED));
    }

    private static GeneratedHeader libc() {
        try {
            return new GeneratedHeader(Class.forName("generated.libc.libc_h"));
        } catch (ClassNotFoundException e) {
            throw new AssertionError("jextract has ended without writing generated.libc.libc_h", e);
        }
    }
}
