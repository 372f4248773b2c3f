import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import { presentDraft } from './present.ts';
import type { Draft } from './queries.ts';

/** The bodies of `drafts` events in the log. */
type DraftEvent =
  | { readonly op: 'add'; readonly drafts: readonly Draft[] }
  | { readonly op: 'update'; readonly draft: Draft }
  | { readonly op: 'remove'; readonly id: number };

/** The audience is only the writer of the draft. */
export function draftEvent(userId: number, body: DraftEvent): NewEvent {
  return { type: 'drafts', audience: { to: 'users', users: [userId] }, body };
}

export const draftPresenter: Presenter = {
  variant: ({ capabilities }) => `${Number(capabilities.emptyTopicName)}`,

  present(event, { capabilities: { emptyTopicName } }) {
    const body = event.body as DraftEvent;
    switch (body.op) {
      case 'add':
        return { type: 'drafts', op: body.op, drafts: body.drafts.map((draft) => presentDraft(draft, emptyTopicName)) };
      case 'update':
        return { type: 'drafts', op: body.op, draft: presentDraft(body.draft, emptyTopicName) };
      case 'remove':
        return { type: 'drafts', op: body.op, draft_id: body.id };
    }
  },
};
