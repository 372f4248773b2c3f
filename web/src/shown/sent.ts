/** After sending, the view goes to the new message. If it belongs elsewhere, a notice leads to it. */
import { Subject } from '@heddle/client/model/changes.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import { showsPlace, type WholeView, wholeViewOf } from '@heddle/client/model/messages/whole-view.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { placeName, routeOfPlace } from './names.ts';

/** Where the user has just sent a message, until a view has gone to it. */
export class SentStore {
  readonly changes = new Subject();
  #place: Place | undefined;

  set(place: Place): void {
    this.#place = place;
    this.changes.changed();
  }

  isIn(view: WholeView | undefined, model: Model): boolean {
    return this.#place !== undefined && view !== undefined && isShown(view, this.#place, model);
  }

  /** The view goes to the message. */
  take(view: WholeView | undefined, model: Model): boolean {
    const isHere = this.isIn(view, model);
    if (isHere) this.#place = undefined;
    return isHere;
  }
}

export const sentStore: SentStore = new SentStore();

function isShown(view: WholeView, place: Place, model: Model): boolean {
  return showsPlace(view, place, (channelId, topic) => model.isTopicMuted(channelId, topic));
}

/** Goes to a message that was just sent, wherever it is. */
export function goToSent({ model, navigation }: App, place: Place): void {
  sentStore.set(place);
  navigation.go(routeOfPlace(model, place));
}

/** Shows a message that was just sent in the open view, or says where it is. */
export function showSent(app: App, place: Place): void {
  const { model, navigation } = app;
  const { route } = navigation;
  const view = route.view === 'narrow' ? wholeViewOf(route.narrow, model.ownId) : undefined;
  const isHere =
    route.view === 'feed' ? isShown({ kind: 'unmuted' }, place, model) : view && isShown(view, place, model);
  if (isHere) {
    sentStore.set(place);
    return;
  }
  const text = t('Message sent to {place}', { place: placeName(model, place) });
  toasts.show({ text, action: { label: t('Open'), run: () => goToSent(app, place) } });
}
