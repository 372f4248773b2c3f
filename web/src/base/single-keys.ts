import { accountKey } from './account-storage.ts';
import { setSingleKeys } from './keyboard.ts';

/** Restores whether shortcuts of one character work in this browser. They do until the user switches them off. */
export function restoreSingleKeys(userId: number): void {
  try {
    setSingleKeys(localStorage.getItem(accountKey(userId, 'single-keys')) !== 'off');
  } catch {
    // Without storage there is nothing to restore.
  }
}

export function storeSingleKeys(userId: number, isOn: boolean): void {
  setSingleKeys(isOn);
  try {
    localStorage.setItem(accountKey(userId, 'single-keys'), isOn ? 'on' : 'off');
  } catch {
    // The choice holds until the page is closed.
  }
}
