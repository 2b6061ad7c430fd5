/**
 * {@code postern run}: a command with secrets in its environment, its output scrubbed as it streams. In: the command,
 * variables with references, our own streams. Out: the command's exit code; what it prints without the values it was given.
 *
 * <p>The operator's own act, so nobody is asked. The vault is opened here, for reading alone and also beside a running gateway: no
 * operation of the control socket gives values out. What holds for every delivery holds here too: the kill switch,
 * destination rules ({@code postern__run} is where it goes, P9), {@code ai-provider} (V5), and an intent in the ledger before
 * anything leaves (L3).
 */
@NullMarked
package dev.postern.app.run;

import org.jspecify.annotations.NullMarked;
