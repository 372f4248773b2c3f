import { muteUser, unmuteUser } from '@heddle/client/calls/operations.ts';
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { directPlace } from '@heddle/client/model/messages/places.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { composeStore } from '../compose/compose-store.ts';
import { showProblem } from './problem.ts';
import { mentionOf } from './user-texts.ts';

/** Opens the direct conversation, with the focus in the box to write in. */
export function writeTo({ model, navigation }: App, userId: number): void {
  const place = directPlace([userId], model.ownId);
  navigation.go({ view: 'narrow', narrow: narrowOfPlace(place, model.ownId) });
  composeStore.open({ place });
}

/** Shows all messages that the user sent. */
export function listMessagesOf({ navigation }: App, userId: number): void {
  navigation.go({ view: 'narrow', narrow: [{ operator: 'sender', operand: userId }] });
}

/** Inserts a mention where the user writes. */
export function mention(user: UserRecord): void {
  composeStore.insert(`${mentionOf(user)} `);
}

/** Copies the address of the profile. */
export async function copyProfileLink({ navigation }: App, userId: number): Promise<void> {
  const url = new URL(navigation.hashOf({ view: 'user', userId }), window.location.href.split('#')[0]);
  await copy(url.href, t('Link copied'));
}

export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show({ text: done, key: 'copied' });
  } catch {
    toasts.show({ kind: 'error', text: t('The browser does not allow copying.'), key: 'copied' });
  }
}

/** Mutes a user, and offers to undo it. */
export async function mute(app: App, user: UserRecord): Promise<void> {
  try {
    await muteUser(app.connection, { muted_user_id: user.id });
    toasts.show({
      text: t('{name} is muted', { name: user.name }),
      key: `mute-${user.id}`,
      action: { label: t('Undo'), run: () => void unmute(app, user) },
    });
  } catch (error) {
    showProblem(error);
  }
}

export async function unmute(app: App, user: UserRecord): Promise<void> {
  try {
    await unmuteUser(app.connection, { muted_user_id: user.id });
    toasts.show({ text: t('{name} is no longer muted', { name: user.name }), key: `mute-${user.id}` });
  } catch (error) {
    showProblem(error);
  }
}
