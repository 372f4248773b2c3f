import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { directPlace, type Place, topicPlace } from '@heddle/client/model/messages/places.ts';
import type { DraftTarget } from '@heddle/client/model/own/drafts.ts';
import { keptReplies, takeReply, type UnsentReply } from '../../worker/account.ts';
import { dataOf } from '../../worker/shown.ts';
import { isAccountForgotten } from '../base/account-storage.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { composeStore } from '../compose/compose-store.ts';
import { draftsOf } from '../compose/drafts/drafts.ts';

interface SavedReply {
  /** As the worker named it. */
  readonly name: string;
  readonly place: Place;
  readonly localDraftId: string;
}

/** Makes drafts of replies in notifications that could not be sent, and says so. Each becomes a draft once, whatever tabs are open. */
export async function takeUnsentReplies(app: App, openedName?: string): Promise<void> {
  const names = await keptReplies();
  const saved: SavedReply[] = [];
  for (const name of names) {
    if (isAccountForgotten()) return;
    const reply = await takeReply(name, app.model.ownId);
    const one = reply && save(app, reply);
    if (one !== undefined) saved.push({ ...one, name });
  }
  if (saved.length === 0) return;
  await closeNotices(saved);
  const opened = saved.find(({ name }) => name === openedName);
  if (opened !== undefined) openDraft(app, opened);
  else tell(app, saved);
}

/** Undefined for a reply to a conversation that nobody can open. */
function save(app: App, { conversation, text }: UnsentReply): Omit<SavedReply, 'name'> | undefined {
  const { ownId } = app.model;
  if (conversation.kind === 'direct' && conversation.user_ids === null) return undefined;
  const place =
    conversation.kind === 'channel'
      ? topicPlace(conversation.channel_id, conversation.topic)
      : directPlace(conversation.user_ids ?? [], ownId);
  const target: DraftTarget =
    place.kind === 'topic'
      ? { kind: 'channel', channelId: place.channelId, topic: place.topic }
      : { kind: 'direct', userIds: place.userIds.length === 0 ? [ownId] : place.userIds };
  const localDraftId = draftsOf(app).save(undefined, target, text);
  return localDraftId === undefined ? undefined : { place, localDraftId };
}

/** The notifications that offer to send them again. */
async function closeNotices(saved: readonly SavedReply[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) {
    if (saved.some(({ name }) => name === dataOf(shown)?.reply)) shown.close();
  }
}

function openDraft({ model, navigation }: App, { place, localDraftId }: SavedReply): void {
  navigation.go({ view: 'narrow', narrow: narrowOfPlace(place, model.ownId) });
  composeStore.open({ place, localDraftId });
}

function tell(app: App, saved: readonly SavedReply[]): void {
  const [first] = saved;
  toasts.show({
    text: t(
      '{count, plural, one {A reply from a notification was not sent. It is a draft.} other {# replies from notifications were not sent. They are drafts.}}',
      { count: saved.length },
    ),
    kind: 'error',
    action: {
      label: t('Open'),
      run: () => {
        if (saved.length === 1 && first !== undefined) openDraft(app, first);
        else app.navigation.go({ view: 'drafts' });
      },
    },
    key: 'unsent-replies',
  });
}
