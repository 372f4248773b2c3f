import { isApiError } from '@heddle/client/calls/errors.ts';
import { updateMessage } from '@heddle/client/calls/operations.ts';
import { sourceOf } from '../../actions/copying.ts';
import type { App } from '../../base/app.tsx';
import type { Edit } from './edit-store.ts';

/** What became of an edit. `conflict`: the message was changed since the edit began. `current` is the source of the message now. */
export interface SaveResult {
  readonly outcome: 'saved' | 'conflict';
  readonly current: string;
}

/**
 * Saves an edit, unless somebody changed the message since it began.
 * @throws ApiError, NetworkError
 */
export async function saveEdit(app: App, messageId: number, { original, text }: Edit): Promise<SaveResult> {
  // As the server stores it.
  const content = text.trimEnd().replace(/^\n+/, '');
  const hash = await sha256(original);
  if (hash === undefined) {
    const current = await sourceOf(app, messageId);
    if (current !== original) return { outcome: 'conflict', current };
  }
  try {
    await updateMessage(app.connection, { message_id: messageId, content, prev_content_sha256: hash });
    return { outcome: 'saved', current: content };
  } catch (error) {
    if (!isApiError(error, 'EXPECTATION_MISMATCH')) throw error;
    const current = await sourceOf(app, messageId);
    // A request whose response was lost had succeeded.
    return { outcome: current === content ? 'saved' : 'conflict', current };
  }
}

/** In hexadecimal. Undefined in pages without TLS, where browsers have no cryptography. */
async function sha256(text: string): Promise<string | undefined> {
  if (crypto.subtle === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
