package dev.arenakit.layout;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// What a declaration of C cannot say of a type, for the comment behind it.
final class CRemarks {
    private CRemarks() {}

    static List<String> of(MemoryType type) {
        List<String> remarks = new ArrayList<>();
        switch (type) {
            case ValueType value when isBig(value.order(), value.byteSize()) -> remarks.add("big-endian");
            case EnumType constants when isBig(constants.value().order(), constants.byteSize()) ->
                remarks.add("big-endian");
            case AddressType address when isBig(address.order(), address.byteSize()) -> remarks.add("big-endian");
            case StringType text -> remarks.add(text.charset().name());
            case ArrayType array -> remarks.addAll(of(array.element()));
            case ValueType _,EnumType _,AddressType _,StructType _,UnionType _ -> {
            }
        }
        return remarks;
    }

    private static boolean isBig(ByteOrder order, long byteSize) {
        return byteSize > 1 && order == ByteOrder.BIG_ENDIAN;
    }
}
