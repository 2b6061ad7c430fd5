/**
 * References: what an agent writes where a secret's value would go, such as <code>{{vault:db_password}}</code>.
 *
 * <p>In: the arguments of a tool call as JSON bytes. Out: where references stand in them
 * ({@link dev.postern.reference.ReferenceFinder}), and the same bytes with the values in their place
 * ({@link dev.postern.reference.Substitution}); in between, {@link dev.postern.reference.Filters} shape a value for
 * the place it goes to. Nothing here knows a vault or asks a person. Rules kept: R1 to R9 and R11 of the contract.
 */
@NullMarked
package dev.postern.reference;

import org.jspecify.annotations.NullMarked;
