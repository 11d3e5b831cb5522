package dev.arenakit.walls;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaStaticInitializer;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.foreign.Linker;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/// The walls as rules, which take the place where each applies: the house, or the classes planted to break them.
final class Rules {
    /// What the JDK marks its restricted methods with.
    private static final String RESTRICTED = "jdk.internal.javac.Restricted";

    private static final Set<String> LINKS = Set.of("downcallHandle", "upcallStub");

    /// What changes behind a static field that is final.
    private static final List<Class<?>> HOLDERS = List.of(Collection.class, Map.class, ThreadLocal.class,
            ClassValue.class, Reference.class, StringBuilder.class);

    private Rules() {}

    /// Only these packages touch the linker or call restricted methods.
    static ArchRule nativeCallsOnlyIn(String... packages) {
        DescribedPredicate<JavaAccess<?>> restricted = describe("is restricted",
                access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                        && target.resolveMember().filter(member -> member.isAnnotatedWith(RESTRICTED)).isPresent());
        return noClasses().that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Linker.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Linker.Option.class)
                .orShould()
                .accessTargetWhere(restricted);
    }

    /// Only this class makes handles of native functions, or native functions of handles.
    static ArchRule linkedOnlyBy(String className) {
        DescribedPredicate<JavaAccess<?>> links = describe("links", access -> access.getTargetOwner()
                .isAssignableTo(Linker.class) && LINKS.contains(access.getName()));
        return noClasses().that().doNotHaveFullyQualifiedName(className).should().accessTargetWhere(links);
    }

    /// Of a package only this class has constants of type int, the type of nearly all that C headers define.
    static ArchRule intConstantsOnlyIn(String packageName, String className) {
        return noFields().that()
                .areDeclaredInClassesThat()
                .resideInAPackage(packageName)
                .and()
                .areDeclaredInClassesThat()
                .doNotHaveFullyQualifiedName(className)
                .and()
                .areStatic()
                .should()
                .haveRawType(int.class);
    }

    /// No class depends on another than those named, and those of the module java.base and of the packages.
    static ArchRule dependOnlyOn(Set<String> classNames, String... packages) {
        Set<String> javaBase = Object.class.getModule().getPackages();
        DescribedPredicate<JavaClass> allowed = describe("are allowed", type -> {
            JavaClass element = type.getBaseComponentType();
            return element.isPrimitive() || classNames.contains(element.getName())
                    || javaBase.contains(element.getPackageName())
                    || Stream.of(packages).anyMatch(name -> element.getPackageName().startsWith(name));
        });
        return classes().should().onlyDependOnClassesThat(allowed);
    }

    /// No package depends on itself by way of others.
    static ArchRule noPackageCycle() {
        return slices().assignedFrom(new SliceAssignment() {
            @Override
            public String getDescription() {
                return "packages";
            }

            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
            }
        }).should().beFreeOfCycles();
    }

    /// What users of the exported packages see has no type of the hidden package in it.
    static ArchRule signaturesWithout(String hiddenPackage, Set<String> exportedPackages) {
        return classes().that(describe("are visible", type -> exportedPackages.contains(type.getPackageName())
                && isVisible(type.getModifiers())))
                .should(
                        new ArchCondition<>("not mention " + hiddenPackage + " in signatures") {
                            @Override
                            public void check(JavaClass type, ConditionEvents events) {
                                mentioned(type).filter(other -> other.getPackageName().equals(hiddenPackage))
                                        .forEach(other -> events.add(SimpleConditionEvent.violated(type,
                                                type.getName() + " mentions " + other.getName())));
                            }
                        });
    }

    private static Stream<JavaClass> mentioned(JavaClass type) {
        List<JavaType> types = new ArrayList<>(type.getInterfaces());
        type.getSuperclass().ifPresent(types::add);
        types.addAll(type.getTypeParameters());
        Stream<JavaClass> ofMembers = type.getAllMembers()
                .stream()
                .filter(member -> isVisible(member.getModifiers()))
                .flatMap(Rules::mentionedBy);
        return Stream.concat(types.stream().flatMap(each -> each.getAllInvolvedRawTypes().stream()), ofMembers)
                .map(JavaClass::getBaseComponentType);
    }

    private static Stream<JavaClass> mentionedBy(JavaMember member) {
        return switch (member) {
            case JavaCodeUnit code -> Stream.concat(code.getAllInvolvedRawTypes().stream(),
                    code.getExceptionTypes().stream());
            case JavaField field -> field.getAllInvolvedRawTypes().stream();
            default -> throw new AssertionError(member);
        };
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    /// Outside of these classes nothing static can change: no static field that is not final, and none that holds a
    /// container or an atomic.
    static ArchRule staticStateOnlyIn(String... classNames) {
        return classes().that(describe("may not have static state",
                type -> !List.of(classNames).contains(type.getName())))
                .should(
                        new ArchCondition<>("have no static mutable state") {
                            @Override
                            public void check(JavaClass type, ConditionEvents events) {
                                type.getFields()
                                        .stream()
                                        .filter(Rules::isMutable)
                                        .forEach(field -> events.add(
                                                SimpleConditionEvent.violated(field, field.getDescription())));
                                type.getStaticInitializer()
                                        .stream()
                                        .flatMap(Rules::madeHolders)
                                        .forEach(call -> events.add(
                                                SimpleConditionEvent.violated(call, call.getDescription())));
                            }
                        });
    }

    private static boolean isMutable(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        // A List may be immutable, and nearly always is.
        return modifiers.contains(JavaModifier.STATIC) && (!modifiers.contains(JavaModifier.FINAL)
                || (isHolder(field.getRawType()) && !field.getRawType().isInterface()));
    }

    /// What a field that is declared as an interface was given.
    private static Stream<JavaConstructorCall> madeHolders(JavaStaticInitializer initializer) {
        return initializer.getConstructorCallsFromSelf().stream().filter(call -> isHolder(call.getTargetOwner()));
    }

    private static boolean isHolder(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.atomic")
                || HOLDERS.stream().anyMatch(type::isAssignableTo);
    }
}
