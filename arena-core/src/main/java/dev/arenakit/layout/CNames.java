package dev.arenakit.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Names in a header of C: those that C has taken are followed by an underscore, and each is given once.
final class CNames {
    /// Of C11, C23 and GNU C, and what the headers that are included define.
    private static final Set<String> TAKEN = Set.of("alignas", "alignof", "asm", "auto", "bool", "break", "case",
            "char",
            "const", "constexpr", "continue", "default", "do", "double", "else", "enum", "extern", "false", "float",
            "for",
            "goto", "if", "inline", "int", "long", "nullptr", "register", "restrict", "return", "short", "signed",
            "sizeof",
            "static", "static_assert", "struct", "switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual",
            "union", "unsigned", "void", "volatile", "while", "NULL", "offsetof", "unreachable");

    /// Macros of limits, and names that belong to the compiler.
    private static final Pattern MACRO = Pattern.compile(
            "(U?INT|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)[A-Z0-9_]*_(MIN|MAX|WIDTH|C)|_[A-Z].*|__.*__|ARENAKIT_.*");
    /// What only types and constants must not be named, since members have a space of names of their own.
    private static final Pattern TYPE = Pattern.compile(
            "u?int((_least|_fast)?(8|16|32|64)|ptr|max)_t|(size|ssize|ptrdiff|wchar|max_align)_t");

    private final Set<String> given = new HashSet<>();

    /// A name for a type or a constant, with a number where it has been given before.
    String take(String wanted) {
        String free = TYPE.matcher(wanted).matches() ? wanted + "_" : escape(wanted);
        String name = free;
        for (int number = 2; !given.add(name); number++) {
            name = free + "_" + number;
        }
        return name;
    }

    /// The names of members that stand together.
    static List<String> ofMembers(List<Member> members) {
        Set<String> names = new HashSet<>();
        members.forEach(member -> names.add(member.name()));
        return members.stream().map(member -> {
            String name = escape(member.name());
            while (!name.equals(member.name()) && !names.add(name)) {
                name += "_";
            }
            return name;
        }).toList();
    }

    private static String escape(String name) {
        return TAKEN.contains(name) || MACRO.matcher(name).matches() ? name + "_" : name;
    }
}
