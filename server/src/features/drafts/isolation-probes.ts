import * as endpoints from '@heddle/api/endpoints/drafts.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async (victim) => {
  const { owner, member, publicChannel, privateChannel, ownUserId, secret } = victim;
  const draft = (type: string, to: readonly number[]) => ({ type, to, topic: 'x', content: 'x' });
  const theirs = { ...draft('stream', [privateChannel.id]), topic: secret('draft'), content: secret('draft') };
  const { ids } = await owner.ok('POST', '/drafts', { drafts: [theirs] });
  const [draft_id] = ids as readonly number[];
  const own = draft('private', [ownUserId]);
  const elsewhere = [
    draft('stream', [publicChannel.id]),
    draft('stream', [privateChannel.id]),
    draft('private', [owner.userId]),
    draft('private', [ownUserId, member.userId]),
  ];
  return [
    probesOf(endpoints.getDrafts, { contained: [{}] }),
    probesOf(endpoints.createDrafts, {
      refused: elsewhere.map((one) => ({ drafts: [own, one] })),
      contained: [{ drafts: [own] }],
    }),
    probesOf(endpoints.editDraft, { refused: [own, ...elsewhere].map((one) => ({ draft_id, draft: one })) }),
    probesOf(endpoints.deleteDraft, { refused: [{ draft_id }] }),
  ];
};
