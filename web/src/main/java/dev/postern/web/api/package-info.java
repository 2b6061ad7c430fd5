/**
 * The HTTP API: what programs call, and what pages call in the background. In: requests that the router admitted. Out: JSON
 * documents, problem details with stable codes, and {@code /openapi.json}, which is made of the routes themselves.
 *
 * <p>Rules kept: no document holds a value, whoever asks (V1); writes of secrets, decisions, grants and policy take a person
 * (V3, A1), whose name stands in the record of acts; lists that are polled carry an entity tag, long ones are paged by key.
 * {@link dev.postern.web.api.Documents} is also what the command line shows.
 */
@NullMarked
package dev.postern.web.api;

import org.jspecify.annotations.NullMarked;
