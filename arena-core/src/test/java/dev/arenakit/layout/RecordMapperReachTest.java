package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Value;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.testing.Refusals.assertRefused;
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

    /// Maps public interfaces that refer to inaccessible classes: without a Lookup, with one, again without one, and
    /// with the public Lookup.
    private static final String HOLDERS = """
            package user;

            import dev.arenakit.layout.*;
            import dev.arenakit.layout.annotation.*;
            import java.lang.invoke.MethodHandles;
            import java.util.*;
            import java.util.concurrent.Callable;

            public final class Main implements Callable<List<String>> {
                record Secret(int x) {}
                public record Outer(int x, Secret secret) {}
                public interface OfRecord { Outer outer(); }
                interface Hidden { int x(); }
                public interface Middle { Hidden hidden(); }
                public interface OfView { Middle middle(); }
                public interface Innocent { Points points(); }
                public interface Points { int x(); }

                @Override public List<String> call() {
                    List<String> said = new ArrayList<>();
                    for (MethodHandles.Lookup lookup : Arrays.asList(null, MethodHandles.lookup(), null,
                            MethodHandles.publicLookup(), MethodHandles.lookup())) {
                        for (Class<?> type : List.of(OfRecord.class, OfView.class, Innocent.class)) {
                            try {
                                said.add((lookup == null ? ViewMapper.of(type) : ViewMapper.of(lookup, type)).toString());
                            } catch (IllegalArgumentException e) {
                                said.add(e.getMessage().replaceAll(",.*", ""));
                            }
                        }
                    }
                    return said;
                }
            }
            """;

    @Test
    void of_interfaceThatHoldsWhatIsOutOfReach_isForThoseWhoReachAllOfIt() throws Exception {
        List<String> said = UserModule.inModule(folder, HOLDERS, "exports user;");

        String innocent = "ViewMapper of Innocent (4 bytes)";
        List<String> mapped = List.of("ViewMapper of OfRecord (8 bytes)", "ViewMapper of OfView (4 bytes)", innocent);
        List<String> refused = List.of("Class is not accessible: class=user.Main$Secret",
                "Interface is not accessible: class=user.Main$Hidden", innocent);
        assertThat(said.subList(0, 3)).isEqualTo(refused);
        assertThat(said.subList(3, 6)).isEqualTo(mapped);
        assertThat(said.subList(6, 9)).as("after somebody's Lookup").isEqualTo(refused);
        assertThat(said.subList(9, 12)).as("by the public lookup")
                .containsExactly(
                        "Lookup cannot access the class: class=user.Main$Secret",
                        "Lookup cannot access the interface: class=user.Main$Hidden", innocent);
        assertThat(said.subList(12, 15)).isEqualTo(mapped);
    }

    /// A class loader with its own package-private interface `user.Twin`.
    private static final class Twins extends ClassLoader {
        Twins(ClassLoader parent) {
            super(parent);
        }

        Class<?> twin() {
            byte[] bytes = ClassFile.of()
                    .build(ClassDesc.of("user.Twin"), builder -> builder
                            .withFlags(AccessFlag.INTERFACE, AccessFlag.ABSTRACT)
                            .withMethod("x", MethodTypeDesc.of(ConstantDescs.CD_int),
                                    ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT, _ -> {}));
            return defineClass("user.Twin", bytes, 0, bytes.length);
        }
    }

    @Test
    void of_interfacesOfTheSamePackageInALoaderAndItsParent_areBothMapped() {
        Twins parent = new Twins(RecordMapperReachTest.class.getClassLoader());
        Twins child = new Twins(parent);
        for (Class<?> twin : List.of(parent.twin(), child.twin())) {
            assertThat(ViewMapper.of(twin).viewAtIndex(POINT, 0)).isInstanceOf(twin).hasToString("Twin { x = 3 }");
        }
    }

    private static final MemorySegment POINT = MemorySegment.ofArray(new int[]{3});

    @Test
    void of_privateInterface_isMapped() {
        @Members("x")
        interface Local {
            int x();
        }
        assertThat(ViewMapper.of(MethodHandles.lookup(), Local.class).viewAtIndex(POINT, 0).x()).isEqualTo(3);
        assertThat(ViewMapper.of(Local.class)).isSameAs(ViewMapper.of(MethodHandles.publicLookup(), Local.class));
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
