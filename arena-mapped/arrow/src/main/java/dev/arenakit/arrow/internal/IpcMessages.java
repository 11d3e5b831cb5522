package dev.arenakit.arrow.internal;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.DictionaryKind;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/// The metadata of messages and files, which the format defines as tables of FlatBuffers. Each result overwrites the
/// previous one.
final class IpcMessages {
    /*
     * FlatBuffers are built from their end: the parts of a table first, and the items of a vector in reverse order.
     * https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
     */
    private static final short VERSION = MetadataVersion.V5;
    private static final short BYTE_ORDER = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            ? Endianness.Little
            : Endianness.Big;
    private static final int NONE = 0;

    private final FlatBufferBuilder builder = new FlatBufferBuilder();
    /// The number of dictionaries of the schema so far.
    private long dictionaryCount;

    /// A message in a file.
    ///
    /// @param metadataByteSize the size of what is before the body
    record FileBlock(long byteOffset, int metadataByteSize, long bodyByteSize) {}

    ByteBuffer schema(List<ColumnType.Column> columns, String key, String value) {
        builder.clear();
        return message(MessageHeader.Schema, addSchema(columns, key, value), 0);
    }

    ByteBuffer recordBatch(long length, BatchBuffers buffers) {
        builder.clear();
        return message(MessageHeader.RecordBatch, addBatch(length, buffers), buffers.byteSize());
    }

    /// @param id the index of the dictionary
    ByteBuffer dictionaryBatch(long id, int size, BatchBuffers buffers) {
        builder.clear();
        int batch = addBatch(size, buffers);
        return message(MessageHeader.DictionaryBatch,
                DictionaryBatch.createDictionaryBatch(builder, id, batch, false), buffers.byteSize());
    }

    /// The metadata at the end of a file.
    ByteBuffer footer(List<ColumnType.Column> columns, String key, String value, List<FileBlock> dictionaries,
            List<FileBlock> batches) {
        builder.clear();
        int schema = addSchema(columns, key, value);
        Footer.startDictionariesVector(builder, dictionaries.size());
        int dictionaryBlocks = addBlocks(dictionaries);
        Footer.startRecordBatchesVector(builder, batches.size());
        int batchBlocks = addBlocks(batches);
        builder.finish(Footer.createFooter(builder, VERSION, schema, dictionaryBlocks, batchBlocks, NONE));
        return builder.dataBuffer();
    }

    private int addBlocks(List<FileBlock> blocks) {
        for (FileBlock block : blocks.reversed()) {
            Block.createBlock(builder, block.byteOffset(), block.metadataByteSize(), block.bodyByteSize());
        }
        return builder.endVector();
    }

    private ByteBuffer message(byte type, int header, long bodyByteSize) {
        builder.finish(Message.createMessage(builder, VERSION, type, header, bodyByteSize, NONE));
        return builder.dataBuffer();
    }

    private int addSchema(List<ColumnType.Column> columns, String key, String value) {
        dictionaryCount = 0;
        int vector = Schema.createFieldsVector(builder,
                columns.stream().mapToInt(column -> addField(column, false)).toArray());
        int entry = KeyValue.createKeyValue(builder, builder.createString(key), builder.createString(value));
        int metadata = Schema.createCustomMetadataVector(builder, new int[]{entry});
        return Schema.createSchema(builder, BYTE_ORDER, vector, metadata, NONE);
    }

    private int addField(ColumnType.Column column, boolean isNullable) {
        ColumnType type = column.type();
        boolean areNullable = isNullable || type instanceof ColumnType.Union;
        int children = Field.createChildrenVector(builder, type.children()
                .stream()
                .mapToInt(child -> addField(child, areNullable))
                .toArray());
        int name = builder.createString(column.name());
        int dictionary = ArrowColumns.dictionary(type).isPresent() ? addDictionary(type) : NONE;
        TypeTable table = addType(type);
        return Field.createField(builder, name, isNullable, table.number, table.offset, dictionary, children, NONE);
    }

    private int addDictionary(ColumnType type) {
        int index = Int.createInt(builder, Byte.SIZE * ArrowColumns.indexByteSize(type), true);
        return DictionaryEncoding.createDictionaryEncoding(builder, dictionaryCount++, index, false,
                DictionaryKind.DenseArray);
    }

    /// A table that describes a type, and the number that tells what the table describes.
    private record TypeTable(byte number, int offset) {}

    private TypeTable addType(ColumnType type) {
        return switch (type) {
            case ColumnType.Fixed fixed -> addNumber(fixed.kind());
            case ColumnType.Text _,ColumnType.Constant _ -> {
                Utf8.startUtf8(builder);
                yield new TypeTable(Type.Utf8, Utf8.endUtf8(builder));
            }
            case ColumnType.Array array when array.isList() -> {
                org.apache.arrow.flatbuf.List.startList(builder);
                yield new TypeTable(Type.List, org.apache.arrow.flatbuf.List.endList(builder));
            }
            case ColumnType.Array array ->
                new TypeTable(Type.FixedSizeList, FixedSizeList.createFixedSizeList(builder, (int) array.length()));
            case ColumnType.Struct _,ColumnType.Union _ -> {
                Struct_.startStruct_(builder);
                yield new TypeTable(Type.Struct_, Struct_.endStruct_(builder));
            }
        };
    }

    private TypeTable addNumber(NumberKind kind) {
        return switch (kind) {
            case BOOLEAN -> {
                Bool.startBool(builder);
                yield new TypeTable(Type.Bool, Bool.endBool(builder));
            }
            case FLOAT, DOUBLE -> new TypeTable(Type.FloatingPoint, FloatingPoint.createFloatingPoint(builder,
                    kind == NumberKind.FLOAT ? Precision.SINGLE : Precision.DOUBLE));
            case INT8, INT16, INT32, INT64 -> addInteger(kind.byteSize(), true);
            case UINT8, UINT16, UINT32, UINT64 -> addInteger(kind.byteSize(), false);
        };
    }

    private TypeTable addInteger(int byteSize, boolean isSigned) {
        return new TypeTable(Type.Int, Int.createInt(builder, Byte.SIZE * byteSize, isSigned));
    }

    private int addBatch(long length, BatchBuffers columns) {
        List<MemorySegment> buffers = columns.buffers();
        long end = columns.byteSize();
        RecordBatch.startBuffersVector(builder, buffers.size());
        for (MemorySegment buffer : buffers.reversed()) {
            end -= BatchBuffers.padded(buffer.byteSize());
            Buffer.createBuffer(builder, end, buffer.byteSize());
        }
        int bufferVector = builder.endVector();
        RecordBatch.startNodesVector(builder, columns.nodes().size());
        for (BatchBuffers.Node node : columns.nodes().reversed()) {
            FieldNode.createFieldNode(builder, node.length(), node.nullCount());
        }
        return RecordBatch.createRecordBatch(builder, length, builder.endVector(), bufferVector, NONE, NONE);
    }
}
