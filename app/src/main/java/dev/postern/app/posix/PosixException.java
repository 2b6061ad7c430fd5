package dev.postern.app.posix;

/** The system refused something. The message names what was asked for and, where known, the error's number; never data. */
public final class PosixException extends RuntimeException {
    private final int errorNumber;

    PosixException(String what) {
        super(what);
        this.errorNumber = 0;
    }

    PosixException(String what, int errorNumber) {
        super(what + " (error " + errorNumber + ")");
        this.errorNumber = errorNumber;
    }

    /** As {@code errno} numbers it; 0 where it is not known. */
    public int errorNumber() {
        return errorNumber;
    }
}
