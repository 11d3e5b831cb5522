package dev.arenakit.tool.find;

import java.nio.ByteOrder;

/// The value of the option `--order`. Its constants have the names that the user gives.
enum FindOrder {
    big, little;

    ByteOrder byteOrder() {
        return this == big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }
}
