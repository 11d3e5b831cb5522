package dev.arenakit.internal.layout.header;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the tokens of a header, as a C preprocessor prints it. Each token has the line of the file from which the
/// preprocessor took it, and the value of `#pragma pack` at this line.
final class HeaderReader {
    static final Set<String> ATTRIBUTES = Set.of("__attribute__", "__attribute", "_Alignas", "alignas");

    /// The largest depth of nested structs, parentheses and operators together. Recursion on a stack of 512 KiB can
    /// handle it.
    private static final int MAX_NESTING = 100;
    /// A comment, or in the group a token: a directive, a word, a text, a sign or the end. Possessive quantifiers need
    /// no stack.
    private static final Pattern TOKEN = Pattern.compile("//[^\\n]*+|/\\*(?:[^*]|\\*(?!/))*+(?:\\*/)?|(#[^\\n]*+"
            + "|[\\w$\\x80-\\uFFFF]++|\"(?:[^\"\\\\\\n]|\\\\[^\\n])*+\"?|'(?:[^'\\\\\\n]|\\\\[^\\n])*+'?"
            + "|\\|\\||&&|[=!<>]=|<<|>>|[^\\x00-\\x20\\\\]|\\z)");
    private static final Pattern MARKER = Pattern.compile("(?:line\\s+)?([0-9]{1,9})(?:\\s+\"([^\"]*)\".*)?");
    /// The compiler ignores other numbers, and all that follows.
    private static final Pattern PACK = Pattern.compile(
            "pragmapack\\((?:(push|pop)(?:,([A-Za-z_]\\w*+))?)?,?(0|1|2|4|8|16)?\\).*");
    private static final Pattern WITHOUT_EFFECT = Pattern.compile(
            "|(define|undef|ident)\\s.*|pragma(?!\\s+(scalar_storage_order|ms_struct)).*");

    /// @param text the characters, or "" at the end
    /// @param pack the largest alignment of a member, or 0 if there is no limit
    record Token(String text, String file, int line, int pack) {
        boolean is(String other) {
            return text.equals(other);
        }

        boolean isIn(Set<String> others) {
            return others.contains(text);
        }

        boolean isName() {
            return !text.isEmpty() && Character.isJavaIdentifierStart(text.charAt(0));
        }

        boolean isDirective() {
            return text.startsWith("#");
        }
    }

    /// A `#pragma pack(push)`.
    private record Pack(String name, int before) {}

    private final List<Token> tokens = new ArrayList<>();
    private final Deque<Pack> packs = new ArrayDeque<>();
    private String file = "";
    private int line = 1;
    private int pack;
    private boolean preprocessed = true;
    /// The index of the next token.
    int next;
    /// The current level, which [#enter] increases.
    int nesting;

    HeaderReader(String text) {
        Matcher found = TOKEN.matcher(text);
        for (int counted = 0; found.find(); counted = found.start()) {
            line += (int) text.substring(counted, found.start()).chars().filter(c -> c == '\n').count();
            String token = found.group(1);
            if (token != null && (!token.startsWith("#") || hasEffect(token.substring(1).strip()))) {
                tokens.add(new Token(token, file, line, pack));
            }
        }
    }

    /// Whether a directive is a token: the first one that a preprocessor replaces, or a pragma that changes layouts.
    private boolean hasEffect(String directive) {
        Matcher marker = MARKER.matcher(directive);
        Matcher packing = PACK.matcher(directive.replaceAll("\\s", ""));
        if (marker.matches()) {
            line = Integer.parseInt(marker.group(1)) - 1; // a line feed follows
            file = marker.group(2) == null ? file : marker.group(2);
            return false;
        }
        if (packing.matches()) {
            pack(packing.group(1), String.valueOf(packing.group(2)), packing.group(3));
            return false;
        }
        boolean pragma = directive.startsWith("pragma");
        boolean effect = !WITHOUT_EFFECT.matcher(directive).matches() && (preprocessed || pragma);
        preprocessed &= pragma || !effect;
        return effect;
    }

    private void pack(@Nullable String action, String name, @Nullable String number) {
        if (action == null) {
            pack = 0;
        } else if (action.equals("push")) {
            packs.push(new Pack(name, pack));
        } else if (!packs.isEmpty()) {
            if (packs.stream().anyMatch(pushed -> pushed.name.equals(name))) {
                while (!packs.element().name.equals(name)) {
                    packs.pop();
                }
            }
            pack = packs.pop().before;
        }
        pack = number == null ? pack : Integer.parseInt(number);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    boolean isEnd() {
        return peek().is("");
    }

    /// Returns the next token, and continues after it, unless it is the end.
    Token take() {
        Token taken = peek();
        next += isEnd() ? 0 : 1;
        return taken;
    }

    void take(String sign) {
        if (!takeIf(sign)) {
            throw expected("'" + sign + "'");
        }
    }

    boolean takeIf(String sign) {
        boolean is = peek().is(sign);
        next += is ? 1 : 0;
        return is;
    }

    /// Returns the next name, or "" if another token is next.
    String takeName() {
        return peek().isName() ? take().text() : "";
    }

    IllegalArgumentException expected(String expected) {
        return new IllegalArgumentException("expected " + expected + ", found "
                + (isEnd() ? "the end" : peek().text()));
    }

    /// Begins a level of nesting, which [#leave] ends.
    void enter() {
        if (++nesting > MAX_NESTING) {
            throw new IllegalArgumentException("more than " + MAX_NESTING + " levels of nesting");
        }
    }

    <T> T leave(T result) {
        nesting--;
        return result;
    }

    /// Continues after the next token, or after the bracket that closes it.
    ///
    /// @return the last token
    Token skip() {
        int depth = 0;
        Token taken;
        do {
            taken = take();
            depth += "([{".contains(taken.text()) ? 1 : ")]}".contains(taken.text()) ? -1 : 0;
        } while (depth > 0 && !isEnd());
        return taken;
    }

    /// Continues after the next semicolon or directive outside of brackets, or after the body of a function: braces
    /// that follow parentheses which are no attribute.
    ///
    /// @return the last name before the end that is outside of brackets, or the first token
    Token skipDeclaration() {
        Token name = peek();
        Token previous = name;
        boolean parameters = false;
        while (!isEnd()) {
            Token first = peek();
            skip();
            if (first.is(";") || first.is("}") || first.isDirective() || (first.is("{") && parameters)) {
                break;
            }
            parameters = first.is("(") && !previous.isIn(ATTRIBUTES);
            previous = first;
            name = first.isName() && !first.isIn(ATTRIBUTES) ? first : name;
        }
        return name;
    }
}
