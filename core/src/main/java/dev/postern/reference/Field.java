package dev.postern.reference;

import org.jspecify.annotations.Nullable;

/** The part of a secret that a reference asks for (R1). */
public enum Field {
    PASSWORD("password"),
    USERNAME("username"),
    NOTES("notes");

    private final String label;

    Field(String label) {
        this.label = label;
    }

    /** How the field is written in a reference: lower case. */
    public String label() {
        return label;
    }

    /** The field written so, or null. Case counts. */
    public static @Nullable Field labelled(String label) {
        for (Field field : values()) {
            if (field.label.equals(label)) {
                return field;
            }
        }
        return null;
    }
}
