/**
 * The portal in a real browser, on a real gateway: every flow, what each role sees, and what an attacker could plant. One
 * Chromium runs for all tests; each test has contexts of its own, as if on machines of their own.
 */
@NullMarked
package dev.postern.app.browser;

import org.jspecify.annotations.NullMarked;
