/**
 * Asking a person (P2, P5 to P8): requests, decisions, waiting, joining, claiming. In: a resolved call. Out: an approved one,
 * or a refusal the agent can see.
 */
@NullMarked
package dev.postern.gate.approval;

import org.jspecify.annotations.NullMarked;
