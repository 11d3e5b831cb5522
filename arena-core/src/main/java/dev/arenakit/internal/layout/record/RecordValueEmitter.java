package dev.arenakit.internal.layout.record;

import dev.arenakit.internal.layout.emit.Descriptors;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Call;
import dev.arenakit.internal.layout.emit.HiddenClassBuilder.Constant;
import dev.arenakit.layout.type.StoredInteger;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Emits the code that reads or writes one number or address.
sealed interface RecordValueEmitter
        permits RecordValueEmitter.OfHandle, RecordValueEmitter.Extended, RecordValueEmitter.OfUnit,
        RecordValueEmitter.OfBits, RecordWordEmitter {
    /// The local variables of generated code that locate the struct in memory, or in an array of longs.
    ///
    /// @param segment the variable of the segment
    /// @param offset  the variable of the offset of the struct, or -1 if it is 0
    /// @param array   the variable of the array on which the segment is based, or -1 if there is none
    record Place(int segment, int offset, int array) {
        /// The parameters of a method that accesses memory.
        static final Place MEMORY = new Place(0, 1, -1);

        boolean isArray() {
            return array >= 0;
        }

        /// Pushes the segment and the offset of the struct.
        CodeBuilder push(CodeBuilder code) {
            code.aload(segment);
            return offset < 0 ? code.lconst_0() : code.lload(offset);
        }
    }

    /// The type of the value that is pushed and popped.
    ClassDesc carrier();

    /// Pushes the value in memory.
    void get(CodeBuilder code, Place place);

    /// Begins a write to memory. The code that pushes the value follows.
    void beginSet(CodeBuilder code, Place place);

    /// Pops the value, and writes it.
    void endSet(CodeBuilder code);

    default TypeKind kind() {
        return TypeKind.from(carrier());
    }

    /// Returns this emitter or the part of it that accesses memory through a VarHandle, if there is one.
    default Optional<OfHandle> ofHandle() {
        return Optional.empty();
    }

    /// A VarHandle whose coordinates are a segment and the offset of the outermost struct. It checks that the whole
    /// struct is within the segment.
    record OfHandle(Constant handle, ClassDesc carrier) implements RecordValueEmitter {
        @Override
        public Optional<OfHandle> ofHandle() {
            return Optional.of(this);
        }

        @Override
        public void get(CodeBuilder code, Place place) {
            handle.load(code);
            place.push(code)
                    .invokevirtual(ConstantDescs.CD_VarHandle, "get",
                            MethodTypeDesc.of(carrier, Descriptors.SEGMENT, ConstantDescs.CD_long));
        }

        @Override
        public void beginSet(CodeBuilder code, Place place) {
            handle.load(code);
            place.push(code);
        }

        @Override
        public void endSet(CodeBuilder code) {
            code.invokevirtual(ConstantDescs.CD_VarHandle, "set", MethodTypeDesc.of(ConstantDescs.CD_void,
                    Descriptors.SEGMENT, ConstantDescs.CD_long, carrier));
        }
    }

    /// An integer of a smaller type, which is extended with zeros.
    record Extended(RecordValueEmitter smaller) implements RecordValueEmitter {
        @Override
        public Optional<OfHandle> ofHandle() {
            return smaller.ofHandle();
        }

        @Override
        public ClassDesc carrier() {
            return smaller.kind() == TypeKind.INT ? ConstantDescs.CD_long : ConstantDescs.CD_int;
        }

        @Override
        public void get(CodeBuilder code, Place place) {
            smaller.get(code, place);
            switch (smaller.kind()) {
                case BYTE -> code.loadConstant(0xff).iand();
                case SHORT -> code.loadConstant(0xffff).iand();
                default -> code.i2l().loadConstant(0xffffffffL).land();
            }
        }

        @Override
        public void beginSet(CodeBuilder code, Place place) {
            smaller.beginSet(code, place);
        }

        @Override
        public void endSet(CodeBuilder code) {
            code.conversion(kind(), smaller.kind());
            smaller.endSet(code);
        }
    }

    /// A bit field in a unit: an integer of 1, 2, 4 or 8 bytes that contains only bit fields and padding.
    ///
    /// The compiler reads the unit once for consecutive reads. A write of a record writes the unit once for consecutive
    /// bit fields.
    ///
    /// @param place   the unit, which identifies it
    /// @param unit    the VarHandle of the unit
    /// @param shift   the number of bits of the unit below the field
    /// @param bitSize the number of bits of the field
    /// @param signed  whether its highest bit is the sign
    record OfUnit(RecordBitUnit place, OfHandle unit, int shift, int bitSize,
            boolean signed) implements RecordValueEmitter {
        @Override
        public Optional<OfHandle> ofHandle() {
            return Optional.of(unit);
        }

        @Override
        public ClassDesc carrier() {
            return ConstantDescs.CD_long;
        }

        @Override
        public void get(CodeBuilder code, Place place) {
            unit.get(code, place);
            code.conversion(unit.kind(), TypeKind.LONG).loadConstant(Long.SIZE - shift - bitSize).lshl();
            code.loadConstant(Long.SIZE - bitSize);
            if (signed) {
                code.lshr();
            } else {
                code.lushr();
            }
        }

        @Override
        public void beginSet(CodeBuilder code, Place place) {
            beginUnit(code, place, mask());
        }

        @Override
        public void endSet(CodeBuilder code) {
            insert(code);
            endUnit(code);
        }

        /// Begins a write of several bit fields of the unit. The code that pushes the value of each follows, with
        /// [#insert] after each value.
        ///
        /// @param written the bits of these bit fields
        void beginUnit(CodeBuilder code, Place place, long written) {
            unit.beginSet(code, place);
            if (isLong()) {
                if (written == -1) {
                    code.lconst_0();
                } else {
                    unit.get(code, place);
                    code.loadConstant(~written).land();
                }
            } else if (written == -1L >>> (Long.SIZE - bits())) {
                code.iconst_0();
            } else {
                unit.get(code, place);
                code.loadConstant((int) ~written).iand();
            }
        }

        /// Pops the value of this bit field, and adds it to the unit on the stack.
        void insert(CodeBuilder code) {
            // Arithmetic on ints needs no instructions that extend a sign.
            if (isLong()) {
                code.loadConstant(shift).lshl().loadConstant(mask()).land().lor();
            } else {
                code.l2i().loadConstant(shift).ishl().loadConstant((int) mask()).iand().ior();
            }
        }

        /// Pops the unit, and writes it.
        void endUnit(CodeBuilder code) {
            if (!isLong()) {
                code.conversion(TypeKind.INT, unit.kind());
            }
            unit.endSet(code);
        }

        private boolean isLong() {
            return unit.kind() == TypeKind.LONG;
        }

        private int bits() {
            return switch (unit.kind()) {
                case BYTE -> Byte.SIZE;
                case SHORT -> Short.SIZE;
                default -> Integer.SIZE;
            };
        }

        long mask() {
            return (-1L >>> (Long.SIZE - bitSize)) << shift;
        }
    }

    /// A [StoredInteger].
    ///
    /// @param getter     the method of the integer that reads
    /// @param setter     the method of the integer that writes
    /// @param byteOffset the offset of the integer in the outermost struct
    record OfBits(Call getter, Call setter, long byteOffset) implements RecordValueEmitter {
        static OfBits of(HiddenClassBuilder target, StoredInteger integer, long byteOffset) {
            return new OfBits(target.call(integer, "get", long.class, MemorySegment.class, long.class),
                    target.call(integer, "set", void.class, MemorySegment.class, long.class, long.class), byteOffset);
        }

        @Override
        public ClassDesc carrier() {
            return ConstantDescs.CD_long;
        }

        @Override
        public void get(CodeBuilder code, Place place) {
            getter.begin(code);
            push(code, place);
            getter.end(code);
        }

        @Override
        public void beginSet(CodeBuilder code, Place place) {
            setter.begin(code);
            push(code, place);
        }

        @Override
        public void endSet(CodeBuilder code) {
            setter.end(code);
        }

        private void push(CodeBuilder code, Place place) {
            place.push(code).loadConstant(byteOffset).ladd();
        }
    }
}
