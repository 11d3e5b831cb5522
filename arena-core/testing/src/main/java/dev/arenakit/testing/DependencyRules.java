package dev.arenakit.testing;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
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
import java.lang.foreign.Linker;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/// The rules. Each takes the packages or classes that it applies to as arguments, so that it can also be run on classes
/// that are planted to violate it.
public final class DependencyRules {
    /// The annotation of the JDK's restricted methods.
    private static final String RESTRICTED = "jdk.internal.javac.Restricted";

    /// Methods of `Linker`, and methods of core that link functions for other modules.
    private static final Set<String> LINKS = Set.of("downcallHandle", "upcallStub");

    /// Types whose instances are mutable, even in a final field.
    private static final List<Class<?>> HOLDERS = List.of(Collection.class, Map.class, ThreadLocal.class,
            ClassValue.class, Reference.class, StringBuilder.class);

    private DependencyRules() {}

    /// Only these packages use the linker or call restricted methods.
    public static ArchRule nativeCallsOnlyIn(Collection<String> packages) {
        DescribedPredicate<JavaAccess<?>> restricted = describe("is restricted",
                access -> access.getTargetOwner().getPackageName().startsWith("java.lang")
                        && Stream.of(access.getTargetOwner().reflect().getDeclaredMethods())
                                .filter(method -> method.getName().equals(access.getName()))
                                .flatMap(method -> Stream.of(method.getAnnotations()))
                                .anyMatch(annotation -> annotation.annotationType().getName().equals(RESTRICTED)));
        return noClasses().that()
                .resideOutsideOfPackages(packages.toArray(String[]::new))
                .should()
                .dependOnClassesThat(assignableTo(Linker.class).or(assignableTo(Linker.Option.class)))
                .orShould()
                .accessTargetWhere(restricted);
    }

    /// Only these classes create downcall handles or upcall stubs.
    public static ArchRule linkedOnlyBy(Collection<String> classNames) {
        DescribedPredicate<JavaAccess<?>> links = describe("links", access -> LINKS.contains(access.getName()));
        return noClasses().that(not(namedOneOf(classNames))).should().accessTargetWhere(links);
    }

    private static DescribedPredicate<JavaClass> namedOneOf(Collection<String> classNames) {
        return describe("are one of " + classNames, type -> classNames.contains(type.getName()));
    }

    /// Only these classes of a package have constants of type int, the type of nearly all constants of C headers.
    public static ArchRule intConstantsOnlyIn(String packageName, Collection<String> classNames) {
        return noFields().that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat(resideInAPackage(packageName).and(not(namedOneOf(classNames))))
                .should()
                .haveRawType(int.class);
    }

    /// Each class depends only on the module java.base, on the module's own classes, and on the listed packages.
    ///
    /// @param packages packages in the notation of ArchUnit: `..` stands for the packages below
    public static ArchRule dependOnlyOn(JavaClasses own, Collection<String> packages) {
        Set<String> javaBase = Object.class.getModule().getPackages();
        DescribedPredicate<JavaClass> listed = resideInAnyPackage(packages.toArray(String[]::new))
                .or(resideInAPackage("org.jspecify.annotations"));
        DescribedPredicate<JavaClass> allowed = describe("are allowed", type -> {
            JavaClass element = type.getBaseComponentType();
            return element.isPrimitive() || own.contain(element.getName())
                    || javaBase.contains(element.getPackageName()) || listed.test(element);
        });
        return classes().should().onlyDependOnClassesThat(allowed);
    }

    /// Packages have no cyclic dependencies.
    public static ArchRule noPackageCycle() {
        return slices().matching("(**)").should().beFreeOfCycles();
    }

    /// Whether users may not touch a package, by its name.
    static boolean isInternal(String packageName) {
        return ("." + packageName + ".").contains(".internal.");
    }

    /// Public and protected signatures of the exported packages contain no type of an internal package.
    public static ArchRule signaturesWithoutInternalTypes(Set<String> exportedPackages) {
        return classes().that(describe("are visible", type -> exportedPackages.contains(type.getPackageName())
                && isVisible(type.getModifiers())))
                .should(
                        haveNone("internal types in signatures",
                                type -> mentioned(type)
                                        .filter(other -> isInternal(other.getPackageName())
                                                && other.getPackageName().startsWith("dev.arenakit"))
                                        .map(other -> type.getName() + " mentions " + other.getName())));
    }

    private static ArchCondition<JavaClass> haveNone(String what, Function<JavaClass, Stream<String>> violations) {
        return new ArchCondition<>("have no " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                violations.apply(type).forEach(each -> events.add(SimpleConditionEvent.violated(type, each)));
            }
        };
    }

    private static Stream<JavaClass> mentioned(JavaClass type) {
        List<JavaType> types = new ArrayList<>(type.getInterfaces());
        type.getSuperclass().ifPresent(types::add);
        types.addAll(type.getTypeParameters());
        Stream<JavaClass> ofMembers = type.getAllMembers()
                .stream()
                .filter(member -> isVisible(member.getModifiers()))
                .flatMap(DependencyRules::mentionedBy);
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

    /// Only these classes have static mutable state: static fields that are not final, or that contain a collection or
    /// an atomic.
    public static ArchRule staticStateOnlyIn(Collection<String> classNames) {
        return classes().that(not(namedOneOf(classNames)))
                .should(haveNone("static mutable state", type -> Stream.concat(
                        type.getFields().stream().filter(DependencyRules::isMutable).map(JavaField::getDescription),
                        type.getStaticInitializer()
                                .stream()
                                .flatMap(DependencyRules::createdHolders)
                                .map(JavaConstructorCall::getDescription))));
    }

    private static boolean isMutable(JavaField field) {
        Set<JavaModifier> modifiers = field.getModifiers();
        // A field of type List usually contains an immutable list.
        return modifiers.contains(JavaModifier.STATIC) && (!modifiers.contains(JavaModifier.FINAL)
                || (isHolder(field.getRawType()) && !field.getRawType().isInterface()));
    }

    /// Returns the collections that a static initializer creates, for fields that are declared as interfaces.
    private static Stream<JavaConstructorCall> createdHolders(JavaStaticInitializer initializer) {
        return initializer.getConstructorCallsFromSelf().stream().filter(call -> isHolder(call.getTargetOwner()));
    }

    private static boolean isHolder(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.atomic")
                || HOLDERS.stream().anyMatch(holder -> holder.isAssignableFrom(type.reflect()));
    }
}
