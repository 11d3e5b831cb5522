package dev.arenakit.internal.layout.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The names of the members that represent padding in a C header. They differ from the names of the other members.
final class CHeaderPadding {
    private final Set<String> taken;
    private int number;

    /// @param taken the names of the other members
    CHeaderPadding(List<String> taken) {
        this.taken = new HashSet<>(taken);
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
