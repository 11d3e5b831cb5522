package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Members;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.lang.reflect.AccessFlag;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ViewMapperReachTest {
    /// Maps a public, a package-private and a local interface, without and with a Lookup, and returns the outcomes.
    private static final String SOURCE = """
            package user;

            import dev.arenakit.layout.*;
            import dev.arenakit.layout.annotation.*;
            import java.lang.foreign.MemorySegment;
            import java.lang.invoke.MethodHandles;
            import java.util.*;
            import java.util.concurrent.Callable;

            public final class Main implements Callable<List<String>> {
                public interface Base { int x(); Base x(int x); }
                @Members({"x", "inner", "point"})
                public interface Public extends Base { Inner inner(); Point point(); void point(Point point); }
                @Members({"x", "inner"})
                interface Hidden extends Base { @Length(2) Inner inner(long index); }
                @Members({"y", "color"})
                public interface Inner { long y(); Color color(); void color(Color color); }
                public record Point(int x, int y) {}
                public enum Color { RED, GREEN }

                @Override public List<String> call() {
                    @Members({"x", "inner"})
                    interface Local extends Base, View { Inner inner(); }
                    List<String> said = new ArrayList<>();
                    for (boolean byLookup : new boolean[]{false, true, false}) {
                        said.add(map(Public.class, byLookup));
                        said.add(map(Hidden.class, byLookup));
                        said.add(map(Local.class, byLookup));
                    }
                    return said;
                }

                private static <V extends Base> String map(Class<V> type, boolean byLookup) {
                    try {
                        ViewMapper<V> mapper = byLookup
                                ? ViewMapper.of(MethodHandles.lookup(), type) : ViewMapper.of(type);
                        MemorySegment segment = MemorySegment.ofArray(new long[20]);
                        V view = mapper.viewAtIndex(segment, 1);
                        if (view instanceof Public it) {
                            it.inner().color(Color.GREEN);
                            it.point(new Point(2, 3));
                        }
                        if (view instanceof Hidden it) {
                            it.inner(1).color(Color.GREEN);
                        }
                        String text = view.x(7).toString();
                        return mapper.intField(Base::x).getAtIndex(segment, 1) == 7 ? text : "another field";
                    } catch (IllegalArgumentException e) {
                        return e.getMessage();
                    }
                }
            }
            """;

    private static final String PUBLIC = "Public { x = 7, inner = Inner { y = 0, color = GREEN }, point = Point[x=2, y=3] }";
    private static final String HIDDEN = "Hidden { x = 7, inner = [Inner { y = 0, color = RED }, Inner { y = 0, color = GREEN }] }";
    private static final String LOCAL = "Local { x = 7, inner = Inner { y = 0, color = RED } }";
    private static final List<String> ALL = List.of(PUBLIC, HIDDEN, LOCAL);

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
        Twins parent = new Twins(ViewMapperReachTest.class.getClassLoader());
        Twins child = new Twins(parent);
        for (Class<?> twin : List.of(parent.twin(), child.twin())) {
            assertThat(ViewMapper.of(twin).viewAtIndex(POINT, 0)).isInstanceOf(twin).hasToString("Twin { x = 3 }");
        }
    }

    private static boolean isRefused(String said) {
        return said.startsWith("Interface is not accessible: class=user.Main$")
                && said.contains("module=user.module; pass a lookup, as in of(MethodHandles.lookup(), ");
    }

    private static final MemorySegment POINT = MemorySegment.ofArray(new int[]{3});

    @TempDir
    private Path folder;

    @Test
    void of_inAnExportedPackage_mapsPublicInterfacesAndTheOthersByLookup() throws Exception {
        List<String> said = UserModule.inModule(folder, SOURCE, "exports user;");

        assertThat(said.getFirst()).isEqualTo(PUBLIC);
        assertThat(said.subList(1, 3)).allMatch(ViewMapperReachTest::isRefused);
        assertThat(said.subList(3, 6)).isEqualTo(ALL);
        assertThat(said.get(6)).isEqualTo(PUBLIC);
        assertThat(said.subList(7, 9)).as("cached for a Lookup alone").allMatch(ViewMapperReachTest::isRefused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"opens user;", "opens user to dev.arenakit;"})
    void of_inAnOpenedPackage_mapsEveryInterface(String directive) throws Exception {
        isMapped(UserModule.inModule(folder, SOURCE, directive));
    }

    @Test
    void of_inAClosedPackage_mapsByLookupAlone() throws Exception {
        List<String> said = UserModule.inModule(folder, SOURCE, "");

        assertThat(said.subList(0, 3)).allMatch(ViewMapperReachTest::isRefused);
        assertThat(said.subList(3, 6)).isEqualTo(ALL);
        assertThat(said.subList(6, 9)).as("cached for a Lookup alone").allMatch(ViewMapperReachTest::isRefused);
    }

    @Test
    void of_onTheClassPath_mapsEveryInterfaceAndPinsNoLoader() throws Exception {
        WeakReference<ClassLoader> loader = loadMapAndDrop();

        for (int i = 0; i < 1000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(loader.get()).as("loader of interfaces that were mapped").isNull();
    }

    private WeakReference<ClassLoader> loadMapAndDrop() throws Exception {
        try (URLClassLoader loader = UserModule.onClassPath(folder, SOURCE)) {
            isMapped(UserModule.call(loader));
            return new WeakReference<>(loader);
        }
    }

    private static void isMapped(List<String> said) {
        assertThat(said.subList(0, 3)).isEqualTo(ALL);
        assertThat(said.subList(3, 6)).isEqualTo(ALL);
        assertThat(said.subList(6, 9)).isEqualTo(ALL);
    }

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
