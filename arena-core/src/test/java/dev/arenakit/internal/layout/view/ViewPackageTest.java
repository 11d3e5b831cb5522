package dev.arenakit.internal.layout.view;

import dev.arenakit.internal.layout.declaration.UserLookup;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.record.RecordMappers;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// The package of a view is found only for interfaces that are accessible.
class ViewPackageTest {
    @Test
    void lookupFor_interfaceThatTheLookupDoesNotReach_isRefused() throws ClassNotFoundException {
        Class<?> internal = Class.forName("jdk.internal.access.JavaLangAccess");
        for (MethodHandles.Lookup lookup : List.of(MethodHandles.publicLookup(), MethodHandles.lookup())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> viewPackage(lookup).lookupFor(internal, List.of(internal)))
                    .withMessage("Lookup cannot access the interface: class=" + internal.getName()
                            + ", module=java.base, lookup=" + lookup
                            + "; pass the MethodHandles.lookup() of a class in its package");
        }
    }

    private static ViewPackage viewPackage(MethodHandles.Lookup lookup) {
        RecordMappers noRecords = new RecordMappers(UserLookup.none(),
                new ClassTemplate(MethodHandles.lookup(), Object.class), (type, _) -> {
                    throw new AssertionError("No reference in the interface: " + type);
                });
        return new ViewPackage(UserLookup.of(lookup), noRecords, MethodHandles.lookup());
    }
}
