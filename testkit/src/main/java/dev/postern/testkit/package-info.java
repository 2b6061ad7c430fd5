/** What every test shares. Depends on no other module, so that its oracles share no code with what they judge. */
@NullMarked
package dev.postern.testkit;

import org.jspecify.annotations.NullMarked;
