/** What the app does besides its views. It loads after the first view. */
import type { App } from '../base/app.tsx';
import { setServerTexts } from '../shown/problem-text.ts';
import { textOfReason } from '../shown/text-of-reason.ts';
import { showBadge } from './badge.ts';
import { giveWayToKeyboard } from './keyboard-room.ts';
import { offerInstall } from './offer-install.ts';
import { keepPagePlaces } from './page-place.ts';
import { followSwipes } from './swipes.ts';

/** A window that is so low that the page scrolls shows the beginning of each view. */
function showBeginnings({ navigation }: App): () => void {
  let { entry } = navigation;
  return navigation.changes.subscribe(() => {
    if (navigation.entry === entry) return;
    entry = navigation.entry;
    window.scrollTo(0, 0);
  });
}

/** Begins all of it. Returns a function that ends it. */
export function startExtras(app: App, view: HTMLElement): () => void {
  setServerTexts(textOfReason);
  const ends = [
    keepPagePlaces(app.navigation, view),
    followSwipes(app),
    giveWayToKeyboard(),
    showBadge(app.model),
    showBeginnings(app),
    ...(app.model.account.isSpectator ? [] : [offerInstall()]),
  ];
  return () => {
    for (const end of ends) end();
  };
}
