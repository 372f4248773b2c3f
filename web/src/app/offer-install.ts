import { isApple, isAppleApp } from '../notifications/apple.ts';
import { installStore } from './install-store.ts';

/** Entries of the local storage. They belong to the browser and not to an account. */
const VISITS = 'heddle-visits';
const HINT = 'heddle-install-hint';

/** A visit ends with its tab. */
const VISIT_COUNTED = 'heddle-visit-counted';

/** Offers to install the app on a phone, from the second visit on, until the user says no. Returns a function that ends this. */
export function offerInstall(): () => void {
  const isPhone = window.matchMedia('(pointer: coarse)').matches;
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches || isAppleApp();
  if (countVisit() < 2 || !isPhone || isInstalled || wasDismissed()) return () => {};
  const look = () => {
    if (!installStore.isOffered && !wasDismissed() && (installStore.browserPrompt !== undefined || isApple())) {
      installStore.set({ isOffered: true });
    }
  };
  look();
  return installStore.changes.subscribe(look);
}

/** The user does not want to see the hint again. */
export function dismissInstall(): void {
  try {
    localStorage.setItem(HINT, 'dismissed');
  } catch {
    // Without storage, the browser counts no visits either.
  }
}

/** How often this browser has opened the app. */
function countVisit(): number {
  try {
    const before = Number(localStorage.getItem(VISITS)) || 0;
    if (sessionStorage.getItem(VISIT_COUNTED) !== null) return before;
    sessionStorage.setItem(VISIT_COUNTED, 'yes');
    localStorage.setItem(VISITS, String(before + 1));
    return before + 1;
  } catch {
    return 0;
  }
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(HINT) !== null;
  } catch {
    return true;
  }
}
