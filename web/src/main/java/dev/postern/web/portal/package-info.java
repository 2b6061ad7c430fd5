/**
 * The pages people see. In: requests that {@link dev.postern.web.http.Router} let through, and the stores. Out: routes that
 * answer with HTML made on the server, and one stream of events that keeps open pages up to date.
 *
 * <p>Rules kept: no page, form or event holds a secret's value (V1, P8), and what a form sends as a value is read as a
 * {@link dev.postern.secret.SecretValue}, never as a string; every form works without a script; what an act came to is said on
 * the next page; whoever lacks a right is not shown what takes it, and is refused by the route anyway (A1, A2).
 */
@NullMarked
package dev.postern.web.portal;

import org.jspecify.annotations.NullMarked;
