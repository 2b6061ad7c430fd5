package dev.postern.store.ledger;

import java.time.Instant;

/**
 * What came in within one stretch of time.
 *
 * @param start the stretch begins here, at a multiple of its length
 * @param calls all of them
 * @param refusals that were refused before anything was sent, or whose answer was withheld
 * @param failures that failed, timed out or were cancelled
 * @param waits for which a person was asked, whatever became of it
 * @param scrubHits how many times a value was taken out of an answer
 */
public record LedgerBucket(Instant start, long calls, long refusals, long failures, long waits, long scrubHits) {}
