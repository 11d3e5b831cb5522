package dev.arenakit.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Names in a header of C: those that C has taken are followed by an underscore, those that belong to the compiler have an `x`
/// in front, and each is given once.
final class CNames {
    /// Of C11 and C23, and what the headers that are included and GNU C for some machine or other define.
    private static final Set<String> TAKEN = Set.of("alignas", "alignof", "asm", "auto", "bool", "break", "case",
            "char",
            "const", "constexpr", "continue", "default", "do", "double", "else", "enum", "extern", "false", "float",
            "for",
            "goto", "if", "inline", "int", "long", "nullptr", "register", "restrict", "return", "short", "signed",
            "sizeof",
            "static", "static_assert", "struct", "switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual",
            "union", "unsigned", "void", "volatile", "while", "NULL", "offsetof", "unreachable", "unix", "linux",
            "i386", "mips", "sparc", "sun", "m68k", "hppa", "PPC");

    /// Macros of limits.
    private static final Pattern MACRO = Pattern.compile(
            "(U?INT|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)[A-Z0-9_]*_(MIN|MAX|WIDTH|C)");
    /// Any of these may be a word of the compiler or a macro, and what they become with an underscore too. The last are guards.
    private static final Pattern RESERVED = Pattern.compile("(__|_[A-Z]|ARENAKIT_).*");
    /// What only types and constants must not be named, since members have a space of names of their own.
    private static final Pattern TYPE = Pattern.compile(
            "u?int((_least|_fast)?(8|16|32|64)|ptr|max)_t|(size|ssize|ptrdiff|wchar|max_align|mbstate|char8|char16|char32)_t"
                    + "|mbrtoc(8|16|32)|c(8|16|32)rtomb");

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
        if (RESERVED.matcher(name).matches()) {
            return "x" + name;
        }
        return TAKEN.contains(name) || MACRO.matcher(name).matches() ? name + "_" : name;
    }
}
