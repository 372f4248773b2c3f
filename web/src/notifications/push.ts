/** Connects the app with the notifications of its service worker. */
import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import { isOpenMessage, narrowOf, type OpenMessage } from '../../worker/shown.ts';
import type { App } from '../base/app.tsx';
import { onLocaleChange } from '../base/i18n.ts';
import { composeStore } from '../compose/compose-store.ts';
import { pushDevice } from './push-device.ts';
import { takeUnsentReplies } from './unsent-replies.ts';
import { noteForWorker } from './worker-note.ts';
import { closeReadNotifications } from './worker-notices.ts';

/** Begins after the first view. Returns a function that ends it. */
export function followPush(app: App): () => void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers === undefined) return () => undefined;
  let isOver = false;
  const note = () => {
    // Without storage, the worker shows nothing.
    if (!isOver) noteForWorker(app).catch(() => undefined);
  };
  const onMessage = ({ data, ports: [port] }: MessageEvent) => {
    if (!isOpenMessage(data)) return;
    port?.postMessage('taken');
    open(app, data);
  };
  const onVisible = () => {
    if (document.visibilityState === 'visible') takeUnsentReplies(app).catch(() => undefined);
  };
  workers.addEventListener('message', onMessage);
  document.addEventListener('visibilitychange', onVisible);
  const ends = [closeReadNotifications(app), pushDevice.changes.subscribe(note), onLocaleChange(note)];
  const begin = async () => {
    // On a slow network, the files of the worker take long. If it cannot be installed, this waits for the next start.
    await workers.ready;
    if (isOver) return;
    note();
    onVisible();
    await pushDevice.resume(app);
  };
  // A push service that cannot be reached is tried at the next start.
  begin().catch(() => undefined);
  return () => {
    isOver = true;
    workers.removeEventListener('message', onMessage);
    document.removeEventListener('visibilitychange', onVisible);
    for (const end of ends) end();
  };
}

/** Shows the message of a notification where it is now. */
function open(app: App, { data, isReply }: OpenMessage): void {
  const { model, navigation } = app;
  window.focus();
  if (data.userId !== model.ownId) {
    // It was for another account of this browser.
    navigation.goHome();
    return;
  }
  if (data.reply !== undefined) {
    takeUnsentReplies(app, data.reply).catch(() => undefined);
    return;
  }
  const known = model.cache.messages.get(data.messageId);
  const near = { operator: 'near', operand: data.messageId } as const;
  const narrow = known === undefined ? narrowOf(data) : [...narrowOfPlace(known.place, model.ownId), near];
  navigation.go({ view: 'narrow', narrow });
  // The box of a conversation is open.
  if (isReply) composeStore.focus();
}
