import type { Connection } from '@heddle/client/calls/connection.ts';
import { updateMessageFlags } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';

/**
 * Collapses a message for the account, or shows it again: at once here, and on all devices when the server has it.
 * @throws ApiError, NetworkError: the change was taken back
 */
export async function setCollapsed(
  { model, connection }: { readonly model: Model; readonly connection: Connection },
  messageId: number,
  isCollapsed: boolean,
): Promise<void> {
  const op = isCollapsed ? 'add' : 'remove';
  model.applyFlag('collapsed', op, [messageId]);
  try {
    await updateMessageFlags(connection, { messages: [messageId], op, flag: 'collapsed' }, { retries: 2 });
  } catch (error) {
    model.applyFlag('collapsed', isCollapsed ? 'remove' : 'add', [messageId]);
    throw error;
  }
}

/** Shorter HTML cannot be higher than the limit, so it need not be measured. */
export const SHORT_HTML_CHARACTERS = 600;

/** The long messages that the user has expanded. They stay so while the app is open. */
export const expandedMessages = new Set<number>();

/** How high a message can be before its end is hidden, in pixels, for a window of this height. */
export function heightLimit(windowHeight: number): number {
  return Math.max(320, Math.round(windowHeight * 0.65));
}
