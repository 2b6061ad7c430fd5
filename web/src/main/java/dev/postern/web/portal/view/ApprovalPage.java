package dev.postern.web.portal.view;

import org.jspecify.annotations.Nullable;

/**
 * One request by itself.
 *
 * @param decided what became of it; null while it waits
 * @param note what the agent was told with a denial
 */
public record ApprovalPage(
        ApprovalCard card,
        boolean isOpen,
        ApprovalsPage.@Nullable Decided decided,
        @Nullable String note) {}
