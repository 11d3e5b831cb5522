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
    private static final Pattern MARKER = Pattern.compile("(?:line\\s+)?([0-9]{1,9})(?:\\s+\"([^\"]*)\".*)?");
    /// The compiler ignores other numbers, and all that follows.
    private static final Pattern PACK = Pattern.compile(
            "pragmapack\\((?:(push|pop)(?:,([A-Za-z_]\\w*+))?)?,?(0|1|2|4|8|16)?\\).*");
    private static final Pattern WITHOUT_EFFECT = Pattern.compile(
            "|(define|undef|ident)\\s.*|pragma(?!\\s+(scalar_storage_order|ms_struct)).*");

    enum Kind {
        NAME, NUMBER, TEXT, SIGN, DIRECTIVE, END
    }

    /// @param pack the largest alignment of a member, or 0 if there is no limit
    record Token(Kind kind, String text, String file, int line, int pack) {
        boolean is(String other) {
            return text.equals(other) && kind != Kind.TEXT;
        }

        boolean isIn(Set<String> others) {
            return others.contains(text);
        }
    }

    /// A `#pragma pack(push)`.
    private record Pack(String name, int before) {}

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final Deque<Pack> packs = new ArrayDeque<>();
    private String file = "";
    private int line = 1;
    /// The end of the text whose line feeds have been counted.
    private int counted;
    private int pack;
    private boolean preprocessed = true;
    private int end;
    private int next;
    private int nesting;

    HeaderReader(String text) {
        this.text = text;
        while (end < text.length()) {
            int start = end++;
            char first = text.charAt(start);
            if (text.startsWith("//", start)) {
                end = indexOf("\n", end);
            } else if (text.startsWith("/*", start)) {
                end = Math.min(text.length(), indexOf("*/", end + 1) + 2);
            } else if (first == '#') {
                end = indexOf("\n", end);
                directive(start, text.substring(start + 1, end).strip());
            } else if (first > ' ' && first != '\\') {
                scan(start, first);
            }
        }
        add(Kind.END, end);
    }

    private int indexOf(String sign, int from) {
        int found = text.indexOf(sign, from);
        return found < 0 ? text.length() : found;
    }

    private void add(Kind kind, int start) {
        for (; counted < start; counted++) {
            line += text.charAt(counted) == '\n' ? 1 : 0;
        }
        tokens.add(new Token(kind, text.substring(start, end), file, line, pack));
    }

    private void scan(int start, char first) {
        if (Character.isJavaIdentifierPart(first)) {
            while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                end++;
            }
            add(first >= '0' && first <= '9' ? Kind.NUMBER : Kind.NAME, start);
        } else if (first == '"' || first == '\'') {
            while (end < text.length() && text.charAt(end) != first && text.charAt(end) != '\n') {
                end += text.charAt(end) == '\\' ? 2 : 1;
            }
            end = Math.min(text.length(), end + 1);
            add(Kind.TEXT, start);
        } else {
            end += end < text.length() && HeaderExpression.strength(text.substring(start, end + 1)) > 0 ? 1 : 0;
            add(Kind.SIGN, start);
        }
    }

    /// The first directive that a preprocessor replaces becomes a token, as does a pragma that changes layouts.
    private void directive(int start, String words) {
        Matcher marker = MARKER.matcher(words);
        Matcher packing = PACK.matcher(words.replaceAll("\\s", ""));
        if (marker.matches()) {
            line = Integer.parseInt(marker.group(1)) - 1; // a line feed follows
            counted = end;
            file = marker.group(2) == null ? file : marker.group(2);
        } else if (packing.matches()) {
            pack(packing.group(1), String.valueOf(packing.group(2)), packing.group(3));
        } else if (!WITHOUT_EFFECT.matcher(words).matches() && (preprocessed || words.startsWith("pragma"))) {
            preprocessed &= words.startsWith("pragma");
            add(Kind.DIRECTIVE, start);
        }
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

    int position() {
        return next;
    }

    /// Continues at a position.
    void seek(int position) {
        next = position;
    }

    /// Continues at the beginning of a declaration.
    void restart(int position) {
        next = position;
        nesting = 0;
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    boolean isEnd() {
        return peek().kind() == Kind.END;
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
        return peek().kind() == Kind.NAME ? take().text() : "";
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

    void leave() {
        nesting--;
    }

    /// Continues after the next token, or after the bracket that closes it.
    void skip() {
        int depth = 0;
        do {
            String taken = take().text();
            depth += taken.equals("(") || taken.equals("[") || taken.equals("{")
                    ? 1
                    : taken.equals(")") || taken.equals("]") || taken.equals("}") ? -1 : 0;
        } while (depth > 0 && !isEnd());
    }

    /// Continues after the next semicolon outside of brackets, or after the body of a function: braces that follow
    /// parentheses which are no attribute.
    ///
    /// @return the last name before the end that is outside of brackets, or the first token
    Token skipDeclaration() {
        Token name = peek();
        Token previous = name;
        boolean parameters = false;
        while (!isEnd()) {
            Token first = peek();
            skip();
            if (first.is(";") || first.is("}") || (first.is("{") && parameters)) {
                break;
            }
            parameters = first.is("(") && !previous.isIn(ATTRIBUTES);
            previous = first;
            name = first.kind() == Kind.NAME && !first.isIn(ATTRIBUTES) ? first : name;
        }
        return name;
    }
}
