package dev.postern.web.portal.imports;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.util.Arrays;
import java.util.List;

/** A file of secrets, of whichever kind it is. */
public final class SecretFile {
    /** More than this in one file is a mistake, or not for a form. */
    public static final int MAX_SECRETS = 1_000;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private SecretFile() {}

    /**
     * Reads an upload: one whose first line names a column for passwords is a table, any other a dotenv file.
     *
     * @return secrets that the caller closes
     * @throws ImportException if it is neither
     */
    public static List<ImportedSecret> read(SecretValue upload) {
        byte[] file = upload.reveal(Reveal.TO_SEAL);
        try {
            if (isUtf16(file)) {
                throw new ImportException("The file is UTF-16; save it as UTF-8 and choose it again.");
            }
            int start = hasByteOrderMark(file) ? BYTE_ORDER_MARK.length : 0;
            return PasswordTable.isOne(file, start) ? PasswordTable.read(file, start) : DotenvFile.read(file, start);
        } finally {
            Arrays.fill(file, (byte) 0);
        }
    }

    private static boolean isUtf16(byte[] file) {
        return file.length >= 2
                && ((file[0] == (byte) 0xff && file[1] == (byte) 0xfe)
                        || (file[0] == (byte) 0xfe && file[1] == (byte) 0xff));
    }

    private static boolean hasByteOrderMark(byte[] file) {
        return file.length >= BYTE_ORDER_MARK.length && Arrays.equals(file, 0, 3, BYTE_ORDER_MARK, 0, 3);
    }
}
