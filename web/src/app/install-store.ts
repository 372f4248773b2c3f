import { Subject } from '@heddle/client/model/changes.ts';

/** What browsers say when the app can be installed (https://wicg.github.io/manifest-incubations/). */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Whether and how the app offers to be installed. */
class InstallStore {
  readonly changes = new Subject();
  /** Undefined in browsers that install only by their own menu. */
  browserPrompt: InstallPrompt | undefined;
  isOffered = false;

  set(change: Partial<Pick<InstallStore, 'browserPrompt' | 'isOffered'>>): void {
    Object.assign(this, change);
    this.changes.changed();
  }
}

/** The one of this page. */
export const installStore = new InstallStore();

// The browser says so once, and early.
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  installStore.set({ browserPrompt: event as InstallPrompt });
});

// The browser has a menu for it, too.
window.addEventListener('appinstalled', () => installStore.set({ browserPrompt: undefined, isOffered: false }));
