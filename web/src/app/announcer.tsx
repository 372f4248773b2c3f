import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { channelOfNarrow, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { type App, useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import { afterFrames, focusView, keepFocus } from '../frame/kept-focus.ts';
import { textToRead } from '../notifications/text.ts';
import { titleOf } from './title.tsx';
import styles from './views.module.css';

/** Messages that arrive within this time are said together, in milliseconds. */
const COLLECTING_MS = 600;
/** Of more messages, only the number is said. */
const MAX_READ_MESSAGES = 3;
/** A view needs some frames until its own parts have taken the focus. */
const VIEW_FRAMES = 3;

/** Screen readers say what others see at once: new messages of the open conversation, and that the view has changed. */
export function Announcer(): ReactNode {
  const app = useApp();
  const region = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const say = (text: string) => region.current?.replaceChildren(text);
    const ends = [keepFocus(), announceMessages(app, say), announceViews(app, say)];
    return () => {
      for (const end of ends) end();
    };
  }, [app]);
  return (
    // Below the frame, it would make the document scroll.
    <div className={styles.announcer}>
      <VisuallyHidden>
        <span ref={region} role="status" aria-label={t('News')} data-announcements />
      </VisuallyHidden>
    </div>
  );
}

type Say = (text: string) => void;

function announceMessages(app: App, say: Say): () => void {
  let arrived: MessageRecord[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const here = arrived.filter((record) => isShown(app, record));
    arrived = [];
    if (here.length > MAX_READ_MESSAGES)
      say(t('{count, plural, one {# new message} other {# new messages}}', { count: here.length }));
    else if (here.length > 0) say(here.map((record) => sentence(app, record)).join('\n'));
  };
  const end = app.onMessage((record) => {
    if (record.senderId === app.model.ownId || document.visibilityState !== 'visible') return;
    arrived.push(record);
    timer ??= setTimeout(flush, COLLECTING_MS);
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

/** Whether the open conversation or channel shows the message. */
function isShown({ model, navigation }: App, { id, senderId }: MessageRecord): boolean {
  const { route } = navigation;
  if (route.view !== 'narrow' || model.mutedUsers.has(senderId)) return false;
  const isConversation =
    placeOfNarrow(route.narrow, model.ownId) !== undefined || channelOfNarrow(route.narrow) !== undefined;
  return isConversation && model.cache.windows.of(route.narrow).has(id);
}

function sentence({ model }: App, record: MessageRecord): string {
  const sender = model.users.get(record.senderId)?.name ?? record.senderName;
  return t('{sender}: {text}', { sender, text: textToRead(record) });
}

/** The focus moves to the new view, which then says its name. Who writes goes on writing, and hears the name. */
function announceViews({ model, navigation }: App, say: Say): () => void {
  let { entry } = navigation;
  const name = () => nameView(titleOf(model, navigation.route));
  name();
  return navigation.changes.subscribe(() => {
    name();
    if (navigation.entry === entry) return;
    entry = navigation.entry;
    afterFrames(VIEW_FRAMES, () => {
      if (document.activeElement?.closest(KEEPS_FOCUS)) say(titleOf(model, navigation.route));
      else focusView();
    });
  });
}

/** The frame does not know the view. It has the landmark. */
function nameView(name: string): void {
  if (name !== '') document.querySelector('main')?.setAttribute('aria-label', name);
}

/** Something of the new view, what the user writes in, and what stands above the view. */
const KEEPS_FOCUS = 'main *, input, textarea, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
