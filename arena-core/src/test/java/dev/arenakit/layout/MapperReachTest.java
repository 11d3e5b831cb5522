package dev.arenakit.layout;

import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The classes of a user that the mappers of records and of views reach, in turns without a Lookup and with one.
@ParameterizedClass
@EnumSource
class MapperReachTest {
    /// A program that maps a public, a package-private and a local class in each of these ways.
    enum Kind {
        RECORD, VIEW;

        private String source() {
            return this == RECORD ? RECORDS : VIEWS;
        }

        /// What the program prints of the classes if they are mapped.
        private List<String> mapped() {
            return this == RECORD
                    ? List.of("ok", "ok", "ok")
                    : List.of("Public { x = 7, inner = Inner { y = 0, color = GREEN }, point = Point[x=2, y=3] }",
                            "Hidden { x = 7, inner = [Inner { y = 0, color = RED }, Inner { y = 0, color = GREEN }] }",
                            "Local { x = 7, inner = Inner { y = 0, color = RED } }");
        }

        private boolean isRefused(String said) {
            String what = this == RECORD ? "Class" : "Interface";
            return said.startsWith(what + " is not accessible: class=user.Main$")
                    && said.contains("module=user.module; pass a lookup, as in of(MethodHandles.lookup(), ");
        }
    }

    static final String RECORDS = """
            package user;

            import dev.arenakit.layout.*;
            import dev.arenakit.layout.annotation.*;
            import java.lang.foreign.MemorySegment;
            import java.lang.invoke.MethodHandles;
            import java.util.*;
            import java.util.concurrent.Callable;

            public final class Main implements Callable<List<String>> {
                public record Public(int x, Inner inner) {}
                record Hidden(int x, @Length(2) Inner[] inner) {}
                public record Inner(long y, Color color) {}
                enum Color { RED, GREEN }

                @Override public List<String> call() {
                    record Local(int x, Inner inner) {}
                    Inner inner = new Inner(2, Color.GREEN);
                    List<String> said = new ArrayList<>();
                    for (boolean byLookup : new boolean[]{false, true, false, true}) {
                        said.add(map(Public.class, new Public(1, inner), byLookup));
                        said.add(map(Hidden.class, new Hidden(1, new Inner[]{inner, inner}), byLookup));
                        said.add(map(Local.class, new Local(1, inner), byLookup));
                    }
                    return said;
                }

                private static <R extends Record> String map(Class<R> type, R record, boolean byLookup) {
                    try {
                        RecordMapper<R> mapper = byLookup
                                ? RecordMapper.of(MethodHandles.lookup(), type) : RecordMapper.of(type);
                        MemorySegment segment = MemorySegment.ofArray(new long[20]);
                        mapper.setAtIndex(segment, 1, record);
                        mapper.fill(segment.asSlice(0, mapper.byteSize()), mapper.list(segment
                                .asSlice(0, 2 * mapper.byteSize())).get(1));
                        boolean same = mapper.intField("x").getAtIndex(segment, 0) == 1
                                && mapper.getAtIndex(segment, 0).toString().startsWith(type.getSimpleName() + "[x=1");
                        return same ? "ok" : "other: " + mapper.getAtIndex(segment, 0);
                    } catch (IllegalArgumentException e) {
                        return e.getMessage();
                    }
                }
            }
            """;

    private static final String VIEWS = """
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
                    for (boolean byLookup : new boolean[]{false, true, false, true}) {
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

    private final Kind kind;
    @TempDir
    private Path folder;

    MapperReachTest(Kind kind) {
        this.kind = kind;
    }

    @Test
    void of_inAnExportedPackage_mapsPublicClassesAndTheOthersByLookup() throws Exception {
        List<String> said = UserModule.inModule(folder, kind.source(), "exports user;");
        assertThat(said.getFirst()).isEqualTo(kind.mapped().getFirst());
        assertThat(said.subList(1, 3)).allMatch(kind::isRefused);
        assertThat(said.subList(3, 6)).isEqualTo(kind.mapped());
        assertThat(said.get(6)).isEqualTo(kind.mapped().getFirst());
        assertThat(said.subList(7, 9)).as("cached for a Lookup alone").allMatch(kind::isRefused);
        assertThat(said.subList(9, 12)).isEqualTo(kind.mapped());
    }

    @Test
    void of_inAnOpenedPackage_mapsEveryClass() throws Exception {
        assertAllMapped(UserModule.inModule(folder, kind.source(), "opens user to dev.arenakit;"));
    }

    @Test
    void of_inAClosedPackage_mapsByLookupAlone() throws Exception {
        List<String> said = UserModule.inModule(folder, kind.source(), "");
        assertThat(said.subList(0, 3)).allMatch(kind::isRefused);
        assertThat(said.subList(3, 6)).isEqualTo(kind.mapped());
        assertThat(said.subList(6, 9)).as("cached for a Lookup alone").allMatch(kind::isRefused);
        assertThat(said.subList(9, 12)).isEqualTo(kind.mapped());
    }

    @Test
    void of_onTheClassPath_mapsEveryClassAndPinsNoLoader() throws Exception {
        WeakReference<ClassLoader> loader = loadMapAndDrop();
        for (int i = 0; i < 1000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(loader.get()).as("loader of classes that were mapped").isNull();
    }

    private WeakReference<ClassLoader> loadMapAndDrop() throws Exception {
        try (URLClassLoader loader = UserModule.onClassPath(folder, kind.source())) {
            assertAllMapped(UserModule.call(loader));
            return new WeakReference<>(loader);
        }
    }

    private void assertAllMapped(List<String> said) {
        for (int from = 0; from < 12; from += 3) {
            assertThat(said.subList(from, from + 3)).isEqualTo(kind.mapped());
        }
    }
}
