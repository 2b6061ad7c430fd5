/**
 * Tells people of calls that wait for them, wherever they are: a signed message to a URL of the operator's, with retries. In:
 * approvals as they come and are decided; the configuration as it is now. Out: HTTP POSTs as the Standard Webhooks specification has them.
 * No message holds a value, nor, unless configured, what the agent wrote; nothing here can hold a call up.
 */
@NullMarked
package dev.postern.app.webhook;

import org.jspecify.annotations.NullMarked;
