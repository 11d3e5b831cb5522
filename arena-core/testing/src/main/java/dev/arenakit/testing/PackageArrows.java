package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A table of the packages below a root, and of the packages that each may use.
///
/// Each line is `package -> package, package`. Names are relative to the root package, which is `.`; packages outside
/// the root are not checked. A package in parentheses is vocabulary: only its interfaces, records, enums, annotations
/// and exceptions may be used. A line between classes, `pool.Slab -> Pool`, allows this dependency even if the lines of
/// their packages do not.
public final class PackageArrows {
    private static final String TO = " -> ";

    private final String root;
    private final Set<String> packages = new TreeSet<>();
    private final Set<String> arrows = new TreeSet<>();

    /// Parses a table.
    ///
    /// @param root the package that the names of the table are relative to
    /// @param table the lines
    public PackageArrows(String root, String table) {
        this.root = root;
        table.lines().forEach(line -> {
            String[] sides = line.split("->", 2);
            String from = sides[0].strip();
            if (!isClass(from)) {
                packages.add(from);
            }
            for (String to : sides[1].split(",", -1)) {
                if (!to.isBlank()) {
                    arrows.add(from + TO + to.strip());
                }
            }
        });
    }

    /// Returns the packages that the table does not list, and the dependencies that it does not allow.
    public List<String> violations(JavaClasses classes) {
        Set<String> violations = new TreeSet<>();
        for (JavaClass type : classes) {
            if (isInside(type) && !packages.contains(packageOf(type))) {
                violations.add("The table lacks package " + packageOf(type));
            }
            crossing(type).filter(dependency -> allowing(dependency).stream().noneMatch(arrows::contains))
                    .forEach(dependency -> violations.add(dependency.getDescription()));
        }
        return List.copyOf(violations);
    }

    /// Returns the lines of the table that no class needs.
    public Set<String> unused(JavaClasses classes) {
        Set<String> unused = new TreeSet<>(packages);
        unused.addAll(arrows);
        for (JavaClass type : classes) {
            unused.remove(packageOf(type));
            crossing(type).forEach(dependency -> allowing(dependency).forEach(unused::remove));
        }
        return unused;
    }

    /// Returns the packages whose arrows lead into a cycle. Lines between classes and vocabulary make no cycle.
    ///
    /// @param kind selects the packages that must have no cycle
    public Set<String> cyclic(Predicate<String> kind) {
        Set<String> left = new TreeSet<>(packages);
        left.removeIf(kind.negate());
        List<String> ends;
        do {
            ends = left.stream()
                    .filter(from -> left.stream().noneMatch(to -> arrows.contains(from + TO + to)))
                    .toList();
            ends.forEach(left::remove);
        } while (!ends.isEmpty());
        return left;
    }

    private Stream<Dependency> crossing(JavaClass type) {
        return type.getDirectDependenciesFromSelf()
                .stream()
                .filter(dependency -> isInside(target(dependency))
                        && !target(dependency).getPackageName().equals(type.getPackageName()));
    }

    /// Returns the entries that allow a dependency. One of them in the table is enough.
    private List<String> allowing(Dependency dependency) {
        JavaClass from = dependency.getOriginClass();
        JavaClass to = target(dependency);
        List<String> entries = new ArrayList<>();
        entries.add(packageOf(from) + TO + packageOf(to));
        entries.add(relative(topLevelName(from)) + TO + relative(topLevelName(to)));
        // A class of another module is not read, and known by its name alone.
        Class<?> type = to.reflect();
        if (type.isInterface() || type.isRecord() || type.isEnum() || Throwable.class.isAssignableFrom(type)) {
            entries.add(packageOf(from) + TO + "(" + packageOf(to) + ")");
        }
        return entries;
    }

    private static JavaClass target(Dependency dependency) {
        return dependency.getTargetClass().getBaseComponentType();
    }

    private boolean isInside(JavaClass type) {
        return (type.getPackageName() + ".").startsWith(root + ".");
    }

    private String packageOf(JavaClass type) {
        return type.getPackageName().equals(root) ? "." : relative(type.getPackageName());
    }

    private String relative(String name) {
        return name.substring(Math.min(name.length(), root.length() + 1));
    }

    private static String topLevelName(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private static boolean isClass(String name) {
        return name.matches("(.*\\.)?[A-Z]\\w*");
    }
}
