package dev.postern.web.portal.imports;

/** A file that cannot be read as what it should be. The message names the line and the remedy, never the content. */
public final class ImportException extends RuntimeException {
    ImportException(String what) {
        super(what, null, false, false);
    }

    /** What to tell the person. */
    public String what() {
        return String.valueOf(getMessage());
    }
}
