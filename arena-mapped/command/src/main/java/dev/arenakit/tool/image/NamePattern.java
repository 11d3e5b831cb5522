package dev.arenakit.tool.image;

/// The pattern of a name, in which `*` stands for any characters, and `?` for one. Matching takes at most as many steps
/// as the product of the lengths, so no pattern makes it run forever.
final class NamePattern {
    private final int[] pattern;

    NamePattern(String pattern) {
        this.pattern = pattern.codePoints().toArray();
    }

    /// Whether a name is a pattern.
    static boolean isPattern(String name) {
        return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
    }

    boolean matches(String name) {
        int[] text = name.codePoints().toArray();
        int at = 0;
        int next = 0;
        // The last star, and the end of the characters that it stands for. The characters of earlier stars need not be
        // changed.
        int star = -1;
        int end = 0;
        while (at < text.length) {
            if (next < pattern.length && pattern[next] == '*') {
                star = next++;
                end = at;
            } else if (next < pattern.length && (pattern[next] == '?' || pattern[next] == text[at])) {
                next++;
                at++;
            } else if (star >= 0) {
                next = star + 1;
                at = ++end;
            } else {
                return false;
            }
        }
        while (next < pattern.length && pattern[next] == '*') {
            next++;
        }
        return next == pattern.length;
    }
}
