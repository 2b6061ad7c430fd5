package dev.postern.mcp.catalog;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * For how long a result may be used again, and for whom (2026-07-28, "Caching": {@code ttlMs} and {@code cacheScope}).
 *
 * @param ttlMillis how long it is fresh from when it was received; 0 for not at all, a day at most
 * @param isPublic whether whoever asks may be given it; otherwise the agent that asked alone
 */
public record CacheHints(long ttlMillis, boolean isPublic) {
    /** For what says nothing of itself: stale at once, and nobody else's. */
    public static final CacheHints NONE = new CacheHints(0, false);

    private static final long LONGEST_MILLIS = Duration.ofDays(1).toMillis();

    /** The hints of a result; what is missing or makes no sense is taken the careful way. */
    public static CacheHints of(@Nullable JsonValue result) {
        if (result == null) {
            return NONE;
        }
        return new CacheHints(millis(result.member("ttlMs")), "public".equals(result.string("cacheScope")));
    }

    private static long millis(@Nullable JsonValue ttl) {
        if (ttl == null || !ttl.is(Kind.NUMBER) || ttl.spelling().length() > 20) {
            return 0;
        }
        BigDecimal number = new BigDecimal(ttl.spelling());
        if (number.signum() <= 0) {
            return 0;
        }
        return number.compareTo(BigDecimal.valueOf(LONGEST_MILLIS)) >= 0 ? LONGEST_MILLIS : number.longValue();
    }

    /** What can be said of both together: the shorter time, and public only where both are. */
    public CacheHints and(CacheHints other) {
        return new CacheHints(Math.min(ttlMillis, other.ttlMillis), isPublic && other.isPublic);
    }

    /** How the scope is written. */
    public String scope() {
        return isPublic ? "public" : "private";
    }
}
