/**
 * What the pages show, as data. In: what an agent wrote and what the stores hold. Out: records that a template of
 * {@code src/main/jte} turns into HTML; the templates escape by context, so every text here is plain text.
 *
 * <p>Rules: nothing here holds a value (V1, P8); no argument is cut (P8); what a reader's eye would miss is made visible
 * ({@link dev.postern.web.portal.view.VisibleText}).
 */
@NullMarked
package dev.postern.web.portal.view;

import org.jspecify.annotations.NullMarked;
