package dev.postern.store.file;

/** The data directory cannot be used. The message is one plain sentence for the person who started the program. */
public final class DataDirectoryException extends RuntimeException {
    public DataDirectoryException(String sentence) {
        super(sentence);
    }
}
