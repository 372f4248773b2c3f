import * as drafts from '@heddle/api/endpoints/drafts.ts';
import { type AccessRow, inClosed, inCommon, row } from '../../testing/access/access-row.ts';
import type { Scene } from '../../testing/access/access-scene.ts';
import type { Fields } from '../../testing/clients/client.ts';

export const rows: readonly AccessRow[] = [
  row(drafts.getDrafts, 'always', '++++++ uuxu'),
  row(drafts.createDrafts, 'where they are subscribed', '++++++ uuxu', (scene) => ({
    drafts: [draft(inCommon(scene).stream_id)],
  })),
  row(drafts.createDrafts, 'in a private channel of others', 'bbbbbb uuxu', (scene) => ({
    drafts: [draft(inClosed(scene).stream_id)],
  })),
  row(drafts.editDraft, 'an own one', '++++++ uuxu', async ({ self }) => ({
    ...(await draftOf(self)),
    draft: draft(),
  })),
  row(drafts.editDraft, "somebody else's", 'nnnnnn uuxu', async ({ colleague }) => ({
    ...(await draftOf(colleague)),
    draft: draft(),
  })),
  row(drafts.deleteDraft, 'an own one', '++++++ uuxu', ({ self }) => draftOf(self)),
  row(drafts.deleteDraft, "somebody else's", 'nnnnnn uuxu', ({ colleague }) => draftOf(colleague)),
];

/** @param channel without one it is not addressed */
function draft(channel?: unknown): Fields {
  const address = channel === undefined ? { type: '', to: [] } : { type: 'stream', to: [channel] };
  return { ...address, topic: 'topic', content: 'content' };
}

async function draftOf(user: Scene['self']): Promise<Fields> {
  const { ids } = await user.ok('POST', '/drafts', { drafts: [draft()] });
  return { draft_id: ids[0] };
}
