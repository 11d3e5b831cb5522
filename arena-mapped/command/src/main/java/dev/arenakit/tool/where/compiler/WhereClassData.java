package dev.arenakit.tool.where.compiler;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/// The objects that compiled code uses as constants.
final class WhereClassData {
    private static final DirectMethodHandleDesc CLASS_DATA_AT = MethodHandleDesc.ofMethod(
            DirectMethodHandleDesc.Kind.STATIC,
            MethodHandles.class.describeConstable().orElseThrow(), "classDataAt",
            MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_MethodHandles_Lookup, ConstantDescs.CD_String,
                    ConstantDescs.CD_Class, ConstantDescs.CD_int));

    private final List<Object> values = new ArrayList<>();

    /// Pushes an object.
    <T> void load(CodeBuilder code, Class<T> type, T value) {
        ClassDesc desc = type.describeConstable().orElseThrow();
        code.loadConstant(DynamicConstantDesc.ofNamed(CLASS_DATA_AT,
                ConstantDescs.DEFAULT_NAME, desc, values.size()));
        values.add(value);
    }

    List<Object> values() {
        return List.copyOf(values);
    }
}
