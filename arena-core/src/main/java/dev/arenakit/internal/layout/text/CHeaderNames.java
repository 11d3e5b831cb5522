package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Chooses the names in a C header. An underscore follows a keyword of C, or a name that the included headers define.
/// An `x` precedes a name that is reserved for the compiler, unless members of systems' structs have such names. No
/// name is used twice.
final class CHeaderNames {
    /// The keywords of C11 and C23, names that the included headers, or GNU C on some machine, define, and macros in
    /// lower case of other headers of C.
    private static final Set<String> TAKEN = Set.of("alignas", "alignof", "asm", "auto", "bool", "break", "case",
            "char",
            "const", "constexpr", "continue", "default", "do", "double", "else", "enum", "extern", "false", "float",
            "for",
            "goto", "if", "inline", "int", "long", "nullptr", "register", "restrict", "return", "short", "signed",
            "sizeof",
            "static", "static_assert", "struct", "switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual",
            "union", "unsigned", "void", "volatile", "while", "NULL", "offsetof", "unreachable", "unix", "linux",
            "i386", "mips", "sparc", "sun", "m68k", "hppa", "PPC",
            "errno", "stdin", "stdout", "stderr", "complex", "imaginary", "noreturn");

    /// The macros of limits in `stdint.h`.
    private static final Pattern MACRO = Pattern.compile(
            "(U?INT|PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)[A-Z0-9_]*_(MIN|MAX|WIDTH|C)");
    /// Names that may be keywords or macros of the compiler, even if an underscore follows, and our own macros.
    private static final Pattern RESERVED = Pattern.compile("(__|_[A-Z]|ARENAKIT_|arenakit_).*");
    /// The reserved names that members can have, because they are no keywords or macros of gcc, clang and the C
    /// library: macros are in upper case, or end with two underscores, except old names of systems. A member must keep
    /// such a name, since a system's own struct may have it.
    private static final Pattern MEMBER = Pattern.compile("__(?!(alignof|always_inline|amd64|arm|asm|attribute"
            + "|auto_type|bf16|builtin_\\w+|complex|const|dead|extension|extern_\\w+|flexarr|float\\d+|fortify_\\w+"
            + "|fp16|func|i386|ibm128|imag|inline|int\\d+|k8|label|linux|mips|nonnull|null|ptr_t|pure|real"
            + "|restrict(_arr)?|seg_\\w+|signed|sparc|sun|thread|transaction_\\w+|typeof\\w*|unix|unused|used|volatile"
            + "|wur|x86_64)$)[a-z]\\w*(?<!__)");
    /// Names that are forbidden for types and constants only, since members have a separate name space.
    private static final Pattern TYPE = Pattern.compile(
            "u?int((_least|_fast)?(8|16|32|64)|ptr|max)_t"
                    + "|(size|ssize|ptrdiff|wchar|max_align|mbstate|char8|char16|char32)_t"
                    + "|mbrtoc(8|16|32)|c(8|16|32)rtomb");

    private final Set<String> used = new HashSet<>();

    /// Returns a name for a type or a constant, followed by a number if the name is in use.
    String take(String wanted) {
        String base = TYPE.matcher(wanted).matches() ? wanted + "_" : escape(wanted);
        String name = base;
        for (int number = 2; !used.add(name); number++) {
            name = base + "_" + number;
        }
        return name;
    }

    /// Returns the names of the members of one struct or union.
    static List<String> ofMembers(List<Member> members) {
        Set<String> names = new HashSet<>();
        members.forEach(member -> names.add(member.name()));
        return members.stream().map(member -> {
            String name = MEMBER.matcher(member.name()).matches() ? member.name() : escape(member.name());
            while (!name.equals(member.name()) && !names.add(name)) {
                name += "_";
            }
            return name;
        }).toList();
    }

    /// Returns the members that have no name in C: structs and unions with a name of [CIdentifiers#ANONYMOUS],
    /// unless C would find a name twice.
    static List<Member> anonymous(List<Member> members) {
        List<String> visible = new ArrayList<>();
        addVisible(members, visible);
        return Set.copyOf(visible).size() < visible.size()
                ? List.of()
                : members.stream().filter(CHeaderNames::isAnonymous).toList();
    }

    private static void addVisible(List<Member> members, List<String> names) {
        for (Member member : members) {
            if (isAnonymous(member)) {
                addVisible(member.type().members(), names);
            } else {
                names.add(member.name());
            }
        }
    }

    private static boolean isAnonymous(Member member) {
        return member.name().startsWith(CIdentifiers.ANONYMOUS)
                && (member.type() instanceof StructType || member.type() instanceof UnionType);
    }

    private static String escape(String name) {
        if (RESERVED.matcher(name).matches()) {
            return "x" + name;
        }
        return TAKEN.contains(name) || MACRO.matcher(name).matches() ? name + "_" : name;
    }

    /// The names of the members that represent padding in a C header. They differ from the names of the other members.
    static final class Padding {
        private final Set<String> taken = new HashSet<>();
        private int number;

        /// @param members the other members
        Padding(List<Member> members) {
            add(members);
        }

        private void add(List<Member> members) {
            taken.addAll(ofMembers(members));
            anonymous(members).forEach(member -> add(member.type().members()));
        }

        /// Returns the declaration of padding.
        String of(long byteSize) {
            return "    uint8_t " + name() + "[" + byteSize + "];\n";
        }

        String name() {
            String name;
            do {
                name = "pad" + number++;
            } while (taken.contains(name));
            return name;
        }
    }
}
