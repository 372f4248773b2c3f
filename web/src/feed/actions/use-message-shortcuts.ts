import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Place, TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { Command } from '../../actions/command.ts';
import { openMenuBeside } from '../../actions/menu-store.ts';
import { type App, useApp } from '../../base/app.tsx';
import type { Shortcut } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { composeStore } from '../../compose/compose-store.ts';
import { THUMBS_UP } from '../../emoji/emoji.ts';
import { mayResolve, toggleResolved } from '../../topic-actions/resolving.ts';
import { topicShortcuts } from '../../topic-actions/shortcuts.ts';
import { toggleFollowed, toggleMuted } from '../../topic-actions/topic-policy.ts';
import { quickReactionShortcuts, quickReactions } from '../reactions/quick-reactions.tsx';
import { groupReactions } from '../reactions/reaction-groups.ts';
import { toggleReaction } from '../reactions/toggle-reaction.ts';
import { messageCommands } from './commands.ts';
import { messageShortcuts as keys } from './message-shortcuts.ts';
import { replyDirectly, replyWithMention } from './quoting.ts';

/** Elements that need their keys themselves. */
const INTERACTIVE = 'a, button, summary, input, textarea, select, [role=button], [contenteditable]';

/**
 * The keys of the selected message. Without one, the key of replies is for what the list shows.
 * @param placeAtTop what the user reads
 */
export function useMessageShortcuts(selectedId: number | undefined, placeAtTop: () => Place | undefined): void {
  const { account } = useApp().model;
  useKey(selectedId, keys.reply, run('reply'));
  useShortcut(
    keys.reply,
    ({ key }) => {
      const place = key === 'Enter' ? undefined : placeAtTop();
      if (place === undefined) return false;
      composeStore.open({ place });
      return true;
    },
    { when: selectedId === undefined && !account.isSpectator },
  );
  useKey(selectedId, keys.quote, run('quote'));
  useKey(selectedId, keys.forward, run('forward'));
  useKey(selectedId, keys.react, run('react'));
  useKey(selectedId, keys.star, run('star'));
  useKey(selectedId, keys.remind, run('remind'));
  useKey(selectedId, keys.pin, pinOrUnpin);
  useKey(selectedId, keys.markUnread, run('mark-unread'));
  useKey(selectedId, keys.collapse, run('collapse'));
  useKey(selectedId, keys.edit, editOrView);
  useKey(selectedId, keys.move, run('move'));
  useKey(selectedId, keys.copyLink, run('copy-link'));
  useKey(selectedId, keys.history, run('history'));
  useKey(selectedId, keys.receipts, run('receipts'));
  useKey(selectedId, keys.replyDirectly, (app, record) => member(app, () => replyDirectly(app, record)));
  useKey(selectedId, keys.mentionSender, (app, record) => member(app, () => replyWithMention(app, record)));
  useKey(selectedId, keys.thumbsUp, (app, { id }) => member(app, () => void toggleReaction(app, id, THUMBS_UP)));
  useKey(selectedId, quickReactionShortcuts[0], quickReaction(0));
  useKey(selectedId, quickReactionShortcuts[1], quickReaction(1));
  useKey(selectedId, quickReactionShortcuts[2], quickReaction(2));
  useKey(selectedId, keys.sameReaction, (app, { id, reactions }) => {
    const [first] = groupReactions(reactions);
    return first !== undefined && member(app, () => void toggleReaction(app, id, first.emoji));
  });
  useKey(selectedId, keys.menu, (_, { id }) => {
    const element = document.querySelector(`[data-message-id="${id}"]`);
    if (element === null) return false;
    openMenuBeside({ kind: 'message', messageId: id }, element);
    return true;
  });
}

/**
 * The keys of a topic. The bar at the top shows them, so they act on its topic. Only a visible message that has the focus comes before it.
 * Without a bar, they act on the selected message while it is visible.
 * @param placeAtTop what the user reads
 */
export function useTopicShortcuts(selectedId: number | undefined, placeAtTop: () => Place | undefined): void {
  const app = useApp();
  const topicOf = (target: EventTarget | null): TopicPlace | undefined => {
    const message = document.querySelector(`[data-message-id="${selectedId}"]`);
    const selected = message && isVisible(message) ? app.model.cache.messages.get(selectedId ?? 0)?.place : undefined;
    const hasFocus = target instanceof Node && message?.contains(target) === true;
    const place = hasFocus ? (selected ?? placeAtTop()) : (placeAtTop() ?? selected);
    return place?.kind === 'topic' && !app.model.account.isSpectator ? place : undefined;
  };
  const on = (act: (place: TopicPlace) => unknown) => (event: KeyboardEvent) => {
    const place = topicOf(event.target);
    return place !== undefined && act(place) !== false;
  };
  useShortcut(
    topicShortcuts.mute,
    on((place) => toggleMuted(app, place)),
  );
  useShortcut(
    topicShortcuts.follow,
    on((place) => toggleFollowed(app, place)),
  );
  useShortcut(
    topicShortcuts.resolve,
    on((place) => mayResolve(app, place) && void toggleResolved(app, place)),
  );
}

/** Whether a message is in the list's window, and not under the bar at its top. */
function isVisible(message: Element): boolean {
  const list = message.closest('[data-feed-scroller]') ?? document.documentElement;
  const [own, all] = [message.getBoundingClientRect(), list.getBoundingClientRect()];
  const bar = list.querySelector('[data-list-top]')?.getBoundingClientRect();
  return own.bottom > Math.max(all.top, bar?.bottom ?? 0) && own.top < all.bottom;
}

/** Returns whether it did something. */
type Act = (app: App, record: MessageRecord) => boolean;

function useKey(selectedId: number | undefined, shortcut: Shortcut, act: Act): void {
  const app = useApp();
  useShortcut(
    shortcut,
    (event) => {
      const record = selectedId === undefined ? undefined : app.model.cache.messages.get(selectedId);
      const target = event.target instanceof Element ? event.target : null;
      const isOwn = event.key === 'Enter' || event.ctrlKey || event.metaKey;
      if (record === undefined || (isOwn && target?.closest(INTERACTIVE))) return false;
      return act(app, record);
    },
    { when: selectedId !== undefined },
  );
}

/** Runs a command of the message's menu, if it is possible. */
function run(id: string): Act {
  return (app, record) => {
    const command = possibleCommand(id, app, record);
    command?.run();
    return command !== undefined;
  };
}

function possibleCommand(id: string, app: App, record: MessageRecord): Command | undefined {
  return messageCommands(app, record).find((one) => one.id === id && one.refusal === undefined);
}

/** Reacts with one of the user's frequent emoji. */
function quickReaction(index: number): Act {
  return (app, { id }) => {
    const emoji = quickReactions(app.model.ownId, id)[index];
    return emoji !== undefined && member(app, () => void toggleReaction(app, id, emoji));
  };
}

const editOrView: Act = (app, record) => run('edit')(app, record) || run('source')(app, record);

/** The client may not know yet whether the message is pinned, which decides what the command does. */
const pinOrUnpin: Act = (app, record) => {
  const { place } = record;
  if (place.kind !== 'topic' || possibleCommand('pin', app, record) === undefined) return false;
  void app.model.cache.pinned.load(place.channelId).then(() => run('pin')(app, record));
  return true;
};

function member({ model }: App, act: () => void): boolean {
  if (model.account.isSpectator) return false;
  act();
  return true;
}
