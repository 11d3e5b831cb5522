package dev.arenakit.tool.export;

import dev.arenakit.tool.FormatsImage;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.ToolRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Exports of the types that binary formats are made of.
class FormatsExportTest extends InSharedMemory {

    @BeforeEach
    void write() {
        assertThat(FormatsImage.BYTES).hasSize(2 * 3 * (int) FormatsImage.PACKET.byteSize());
        FormatsImage.write(base);
    }

    @Test
    void json_ofFormats_hasTheirValues() {
        assertThat(ToolRun.of("show", base.toString(), "packets", "--json").out().lines()).containsExactly(
                "{\"allocation\":\"packets\",\"index\":0,\"value\":{\"header\":{\"version\":4,\"length\":5,\"flags\":2,"
                        + "\"place\":1,\"kind\":\"DATA\"},\"port\":65534,\"odd\":66051,\"nanos\":21542142465,"
                        + "\"id\":18446744073709551615,\"low\":5,\"signed\":-3,\"set\":false,\"known\":\"ACK\",\"one\":1,"
                        + "\"temperature\":-2,\"values\":[1,-2],\"count\":2,\"code\":\"A B\",\"text\":\"ab\","
                        + "\"body\":{\"data\":4294967295}}}",
                "{\"allocation\":\"packets\",\"index\":1,\"value\":{\"header\":{\"version\":6,\"length\":1,\"flags\":5,"
                        + "\"place\":-1,\"kind\":\"ACK\"},\"port\":80,\"odd\":1,\"nanos\":0,\"id\":1,\"low\":0,"
                        + "\"signed\":0,\"set\":false,\"known\":\"NONE\",\"one\":0,\"temperature\":1,\"values\":[],"
                        + "\"count\":0,\"code\":\"\",\"text\":\"\",\"body\":{\"ack\":{}}}}",
                "{\"allocation\":\"packets\",\"index\":2,\"value\":{\"header\":{\"version\":0,\"length\":0,\"flags\":0,"
                        + "\"place\":0,\"kind\":17},\"port\":0,\"odd\":0,\"nanos\":0,\"id\":0,\"low\":0,\"signed\":0,"
                        + "\"set\":false,\"known\":\"NONE\",\"one\":0,\"temperature\":0,\"values\":[1,-2,3,4],"
                        + "\"count\":9,\"code\":\"ABCDEF\",\"text\":\"abcde\",\"body\":{\"raw\":[1,2,3,4]}}}");
    }

    @Test
    void hexpat_ofFormats_declaresThem() {
        assertThat(ExportCommandTest.export(base, "--hexpat").out()).contains("""
                bitfield Header_version_bits {
                    length : 4;
                    version : 4;
                };

                bitfield Header_flags_bits {
                    flags : 3;
                    signed place : 13;
                };
                """, """
                struct Header {
                    Header_version_bits version_bits;
                    be Header_flags_bits flags_bits;
                    Kind kind;
                } [[static]];

                bitfield Packet_low_bits {
                    low : 5;
                    signed signed_ : 4;
                    bool set : 1;
                    Kind known : 2;
                    one : 1;
                    padding : 3;
                };

                struct Text {
                    be u16 length;
                    char text[5];
                } [[static]];
                """, """
                union Packet_body {
                    u32 data;
                    Packet_body_ack ack;
                    u8 raw[4];
                } [[static]];

                struct Packet {
                    Header header;
                    be u16 port;
                    be u24 odd;
                    u8 nanos[5];
                    u64 id;
                    Packet_low_bits low_bits;
                    s8 temperature;
                    s32 values[4];
                    u8 count;
                    char code[6];
                    Text text;
                    Packet_body body;
                } [[static]];
                """);
    }

    @Test
    void cHeader_ofFormats_declaresThem() {
        assertThat(ExportCommandTest.export(base, "--c-header").out()).contains("""
                    struct __attribute__((packed, scalar_storage_order("big-endian"))) {
                        uint16_t flags : 3;
                        int16_t place : 13;
                    };
                """, "    uint8_t nanos[5]; /* uint40_t */\n",
                "    uint8_t text[7]; /* UTF-8, after its length in 2 bytes, big-endian */\n");
    }
}
