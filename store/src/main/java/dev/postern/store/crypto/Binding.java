package dev.postern.store.crypto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The place that sealed bytes belong to. It is authenticated with them (AAD), so bytes moved to another tenant, record,
 * field or version do not open (V2).
 *
 * @param tenant whose vault
 * @param record the secret's id
 * @param field what is sealed, such as {@code password}
 * @param version of the record
 */
public record Binding(String tenant, String record, String field, long version) {
    private static final String PURPOSE = "postern/vault/1";

    /** Every part with its length before it, so that no two places have the same bytes. */
    byte[] associatedData() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        for (String part : new String[] {PURPOSE, tenant, record, field}) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            out.writeBytes(bytes);
        }
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(version).array());
        return out.toByteArray();
    }
}
