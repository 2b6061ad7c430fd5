/**
 * Who calls: agents, their keys and permissions (A1). A port; the store keeps keys hashed.
 */
@NullMarked
package dev.postern.gate.agent;

import org.jspecify.annotations.NullMarked;
