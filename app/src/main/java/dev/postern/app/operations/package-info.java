/**
 * What the control socket offers: the operator's acts on the running gateway. In: requests of the command line, by a
 * program of this user (A1). Out: documents without values. Each noun is a class that puts its verbs into one map.
 */
@NullMarked
package dev.postern.app.operations;

import org.jspecify.annotations.NullMarked;
