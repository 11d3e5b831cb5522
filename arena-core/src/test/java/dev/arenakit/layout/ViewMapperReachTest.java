package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Members;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ViewMapperReachTest {

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

    private static final MemorySegment POINT = MemorySegment.ofArray(new int[]{3});

    @TempDir
    private Path folder;

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
