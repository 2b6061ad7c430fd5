package dev.postern.app.posix;

/** The size of a terminal's window, in characters and in pixels; 0 where it is not known. */
public record WindowSize(short rows, short columns, short widthPixels, short heightPixels) {}
