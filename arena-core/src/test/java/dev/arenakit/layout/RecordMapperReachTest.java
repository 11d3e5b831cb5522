package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordMapperReachTest {

    /// A record that remembers which class has created it.
    private record Probe(int value) {
        static final List<Class<?>> CREATORS = new ArrayList<>();

        @SuppressWarnings("UnusedMethod") // Called by the mapper.
        Probe {
            StackWalker walker = StackWalker.getInstance(
                    Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));
            CREATORS.add(walker.walk(frames -> frames.skip(1).findFirst().orElseThrow().getDeclaringClass()));
        }
    }

    @Test
    void getAtIndex_ofAPrivateRecord_createsItInItsNestWithoutAMethodHandle() {
        RecordMapper<Probe> mapper = RecordMapper.of(Probe.class);

        Probe probe = mapper.getAtIndex(MemorySegment.ofArray(new int[]{7}), 0);

        assertThat(probe.value()).isEqualTo(7);
        assertThat(Probe.CREATORS).singleElement().satisfies(creator -> {
            assertThat(creator.isHidden()).isTrue();
            assertThat(creator.getNestHost()).isEqualTo(RecordMapperReachTest.class);
        });
    }

    @TempDir
    private Path folder;

    record Own(int x) {}

    @Test
    void of_lookupThatDoesNotReach_isNamed() throws Exception {
        try (URLClassLoader loader = UserModule.onClassPath(folder, MapperReachTest.RECORDS)) {
            assertThat(loader.loadClass("user.Main$Hidden")).satisfies(
                    hidden -> assertThat(RecordMapper.of(MethodHandles.publicLookup(), hidden)).isNotNull());
        }
        assertRefused(() -> RecordMapper.of(MethodHandles.publicLookup(), outOfReach()),
                "Lookup cannot access the class: class=" + outOfReach().getName(), "module=java.base");
    }

    /// A record of the JDK that is not exported.
    private static Class<?> outOfReach() {
        try {
            return Class.forName("jdk.internal.util.OSVersion");
        } catch (ClassNotFoundException e) {
            throw new LinkageError("gone", e);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // The test passes null on purpose.
    void of_null_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> RecordMapper.of(null)).withMessage("type");
        assertThatNullPointerException().isThrownBy(() -> RecordMapper.of(null, Own.class)).withMessage("lookup");
        assertThatNullPointerException().isThrownBy(() -> RecordMapper.of(Own.class, null)).withMessage("struct");
    }

    @Test
    void of_localAndPrivateRecords_areMapped() {
        record Local(int x, Own own) {}
        MemorySegment segment = MemorySegment.ofArray(new int[2]);
        RecordMapper<Local> mapper = RecordMapper.of(MethodHandles.lookup(), Local.class);

        mapper.setAtIndex(segment, 0, new Local(1, new Own(2)));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Local(1, new Own(2)));
        assertThat(RecordMapper.of(Local.class)).isSameAs(mapper);
    }

    record Figure(int kind, @Union("kind") DistantShape shape) {}

    @Test
    void getAtIndex_ofAUnionWhosePrivateRecordsAreInAnotherNest_readsThem() {
        RecordMapper<Figure> mapper = RecordMapper.of(Figure.class);
        MemorySegment segment = MemorySegment.ofArray(new long[2]);

        mapper.setAtIndex(segment, 0, new Figure(2, DistantShapes.square(1.5)));
        assertThat(mapper.getAtIndex(segment, 0)).isEqualTo(new Figure(2, DistantShapes.square(1.5)));
    }

    @Test
    void getAtIndex_ofAProtectedRecordInAnExportedAndOpenPackage_readsIt() throws Exception {
        String source = """
                package user;

                import dev.arenakit.layout.RecordMapper;
                import java.lang.foreign.MemorySegment;
                import java.lang.invoke.MethodHandles;
                import java.util.*;
                import java.util.concurrent.Callable;

                public class Main implements Callable<List<String>> {
                    protected record Shielded(int x) {}
                    public record Outer(Shielded inner) {}

                    @Override public List<String> call() {
                        MemorySegment segment = MemorySegment.ofArray(new int[]{7});
                        MethodHandles.Lookup some = MethodHandles.lookup().dropLookupMode(MethodHandles.Lookup.PRIVATE);
                        return List.of(RecordMapper.of(Shielded.class).get(segment, 0).toString(),
                                RecordMapper.of(Outer.class).get(segment, 0).toString(),
                                RecordMapper.of(some, Outer.class).get(segment, 0).toString());
                    }
                }
                """;

        assertThat(UserModule.inModule(folder, source, "exports user; opens user;")).containsExactly("Shielded[x=7]",
                "Outer[inner=Shielded[x=7]]", "Outer[inner=Shielded[x=7]]");
    }

    @Test
    void get_ofARecordWhoseConstructorThrowsACheckedException_throwsIt() {
        record Failing(int x) {
            @SuppressWarnings("UnusedMethod") // Called by the mapper.
            Failing {
                throwing(new IOException("not declared"));
            }
        }

        assertThatThrownBy(() -> RecordMapper.of(Failing.class).get(MemorySegment.ofArray(new int[1]), 0))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("not declared");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As Lombok does.
    private static <E extends Exception> void throwing(Exception e) throws E {
        throw (E) e;
    }
}

/// A union whose records are in the nest of another class.
sealed interface DistantShape {}

/// That class.
final class DistantShapes {
    private DistantShapes() {}

    @Value(1)
    @SuppressWarnings("UnusedNestedClass") // A variant that the mapper needs.
    private record Circle(int radius) implements DistantShape {}

    @Value(2)
    private record Square(double side) implements DistantShape {}

    static DistantShape square(double side) {
        return new Square(side);
    }
}
