package dev.arenakit.testing;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The knots of a module: the strongly connected components of the graph in which a class has an arrow to each class
/// that it uses. Nested classes count as their top-level classes. None of the classes of a knot can be understood, or
/// moved to another package, without the other ones.
public final class ClassKnots {
    private final Map<String, Set<String>> used = new TreeMap<>();
    private final Map<String, Set<String>> usedThroughOthers = new HashMap<>();

    public ClassKnots(JavaClasses classes) {
        for (JavaClass type : classes) {
            String name = topLevelName(type);
            Set<String> names = used.computeIfAbsent(name, each -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                names.add(topLevelName(dependency.getTargetClass().getBaseComponentType()));
            }
            names.remove(name);
        }
    }

    /// Returns the knots of at least so many classes, as names of classes in alphabetical order.
    ///
    /// @param families packages of sealed types, whose classes may use each other; a knot inside one of them is left out
    public List<Set<String>> ofAtLeast(int classes, Collection<String> families) {
        List<Set<String>> knots = new ArrayList<>();
        Set<String> tied = new HashSet<>();
        for (String name : used.keySet()) {
            if (!tied.contains(name)) {
                Set<String> knot = new TreeSet<>(usedThroughOthers(name));
                knot.removeIf(other -> !usedThroughOthers(other).contains(name));
                tied.addAll(knot);
                if (knot.size() >= classes && families.stream().noneMatch(family -> areIn(family, knot))) {
                    knots.add(knot);
                }
            }
        }
        return knots;
    }

    private Set<String> usedThroughOthers(String name) {
        return usedThroughOthers.computeIfAbsent(name, this::find);
    }

    private Set<String> find(String name) {
        Set<String> found = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(name));
        while (!left.isEmpty()) {
            for (String each : used.getOrDefault(left.pop(), Set.of())) {
                if (used.containsKey(each) && found.add(each)) {
                    left.push(each);
                }
            }
        }
        return found;
    }

    private static boolean areIn(String packageName, Set<String> names) {
        return names.stream().allMatch(name -> name.substring(0, name.lastIndexOf('.')).equals(packageName));
    }

    private static String topLevelName(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }
}
