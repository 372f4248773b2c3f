import type { Model } from '@heddle/client/model/model.ts';
import { isAccountForgotten } from '../base/account-storage.ts';
import { titleCount } from './title-count.ts';

/** The badge follows the count at most this often, in milliseconds. */
const PAUSE_MS = 500;

/** Shows the number of unread messages on the icon of the installed app, as pushes do. Returns a function that ends this. */
export function showBadge(model: Model): () => void {
  if (!('setAppBadge' in navigator)) return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    if (isAccountForgotten()) return;
    // A browser can refuse it, for example while the app is not installed.
    navigator.setAppBadge(titleCount(model)).catch(() => undefined);
  };
  const later = () => {
    timer ??= setTimeout(show, PAUSE_MS);
  };
  later();
  const { unread, account, topicPolicies } = model;
  const ends = [unread, account, topicPolicies].map(({ changes }) => changes.subscribe(later));
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
