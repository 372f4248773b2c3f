import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatList } from '../../base/i18n-formats.ts';
import { toasts } from '../../base/toasts.ts';
import { sentTextOf } from '../commands/commands.ts';
import { composeStore } from '../compose-store.ts';
import { draftsOf } from '../drafts/drafts.ts';
import type { DraftEntry, DraftsSync } from '../drafts/drafts-sync.ts';
import { type LiveSession, liveSessions } from '../drafts/live-sessions.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { nameOfPlace } from '../target/place-names.ts';
import { type ComposeTarget, draftTargetOf, placeOfTarget, targetOfDraft } from '../target/target.ts';
import { BoxText } from '../text/box-text.ts';
import { stalePlaceholdersIn } from '../uploads/placeholders.ts';
import type { Upload } from '../uploads/uploads.ts';
import { uploadsOf } from '../uploads/use-uploads.ts';
import { type Waiting, waitingStore } from './waiting-store.ts';

/** A message that the user has sent, and whose files are not uploaded yet. Its draft keeps the text. */
class WaitingMessage implements Waiting {
  readonly text: BoxText;
  readonly #drafts: DraftsSync;
  readonly #ownId: number;
  #target: ComposeTarget;
  #draftId: string | undefined;

  constructor(app: App, session: ComposeSession) {
    this.#drafts = draftsOf(app);
    this.#ownId = app.model.ownId;
    this.#target = session.target;
    this.text = new BoxText(session.text.value);
    this.#draftId = session.takeHeld();
  }

  get draftId(): string | undefined {
    return this.#draftId;
  }

  get place(): Place | undefined {
    return placeOfTarget(this.#target, this.#ownId);
  }

  get placeKey(): string | undefined {
    const { place } = this;
    return place === undefined ? undefined : keyOf(place);
  }

  setTarget(target: ComposeTarget): void {
    this.#target = target;
    this.save();
  }

  save(): void {
    this.#draftId = this.#drafts.save(this.#draftId, draftTargetOf(this.#target), this.text.value);
  }

  replaceStored(part: string, text: string): boolean {
    return this.#drafts.replaceIn(part, text);
  }
}

/** Takes the message out of the box. It is sent when its files are uploaded. */
export function sendWhenUploaded(app: App, session: ComposeSession): void {
  const message = new WaitingMessage(app, session);
  liveSessions.add(message);
  waitingStore.add(message);
  void wait(message);
}

/** The message is not sent. Its text goes back into the box. A text that is there becomes a draft. */
export function cancelWaiting(app: App, message: Waiting): void {
  const box = boxOf(message);
  if (box !== undefined && !box.text.isEmpty) toasts.show({ text: t('Your text is a draft now.') });
  remove(app, message);
  returnTo(box, message);
}

async function wait(message: WaitingMessage): Promise<void> {
  for (;;) {
    const { app } = waitingStore;
    if (app === undefined) return;
    const uploads = uploadsOf(app);
    const failed = await uploads.settled(() => message.text.value);
    if (!waitingStore.has(message)) return;
    if (failed === undefined) {
      send(message);
      return;
    }
    if (giveBack(app, message, failed)) return;
    await uploads.nextChange();
  }
}

function send(message: WaitingMessage): void {
  const { app } = waitingStore;
  if (app === undefined) return;
  const { place, draftId } = message;
  const content = sentTextOf(message.text.value);
  remove(app, message);
  if (draftId !== undefined) draftsOf(app).discard(draftId);
  if (place === undefined || content === '') return;
  app.model.cache.outbox.send(place, content, app.model.maxMessageId);
  uploadsOf(app).forget(content);
}

/** Returns whether the message is in the box now, or will be when the user comes back. */
function giveBack(app: App, message: WaitingMessage, { name, problem = '' }: Upload): boolean {
  const box = boxOf(message);
  // The failed file stands at the waiting message then, with what the user can do.
  if (box !== undefined && !box.text.isEmpty) return false;
  remove(app, message);
  const text = t('Your message was not sent. “{name}” was not uploaded: {problem}', { name, problem });
  const open = openAction(app, message.place);
  toasts.show({ kind: 'error', text, ...(box === undefined && open && { action: open }) });
  returnTo(box, message);
  return true;
}

function remove(app: App, message: Waiting): void {
  waitingStore.remove(message);
  liveSessions.delete(message);
  message.save();
  if (message.draftId !== undefined) draftsOf(app).release(message.draftId);
}

/** The box on the screen in which the message was written. */
function boxOf({ placeKey }: Pick<LiveSession, 'placeKey'>): LiveSession | undefined {
  for (const session of liveSessions) {
    if (session.placeKey === placeKey && session.replaceText !== undefined) return session;
  }
  return undefined;
}

function returnTo(box: LiveSession | undefined, { place, draftId }: Waiting): void {
  if (draftId !== undefined) box?.replaceText?.({ place, localDraftId: draftId });
}

function openAction({ navigation, model }: App, place: Place | undefined) {
  if (place === undefined) return undefined;
  const run = (): void => {
    navigation.go({ view: 'narrow', narrow: narrowOfPlace(place, model.ownId) });
    composeStore.focus();
  };
  return { label: t('Open'), run };
}

/** An earlier page ended while the message waited. */
export function tellOfLeft(app: App, { localId, target, content }: DraftEntry): void {
  const place = placeOfTarget(targetOfDraft(target), app.model.ownId);
  if (place === undefined) return;
  const box = boxOf({ placeKey: keyOf(place) });
  if (box?.text.isEmpty && localId !== undefined) box.replaceText?.({ place, localDraftId: localId });
  const values = { place: nameOfPlace(place, app.model), files: formatList(stalePlaceholdersIn(content)) };
  const text = t(
    'The page was closed before your message to {place} was sent. Not uploaded: {files}. Its text is kept.',
    values,
  );
  const open = openAction(app, place);
  toasts.show({ kind: 'error', text, ...(box === undefined && open && { action: open }) });
}
