import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey } from '../base/account-storage.ts';

/**
 * The switches of a view, by name: which sections the user has opened or closed, and which filters are chosen. The browser remembers
 * them per account. A switch without an entry has the state that its view gives it.
 */
export class ViewSwitches {
  readonly changes = new Subject();
  readonly #storageKey: string;
  #isOn: Readonly<Record<string, boolean>>;

  /** @param view for example `sidebar` */
  constructor(view: string, userId: number) {
    this.#storageKey = accountKey(userId, `sections-${view}`);
    this.#isOn = stored(this.#storageKey);
  }

  isOn(name: string, otherwise = true): boolean {
    return this.#isOn[name] ?? otherwise;
  }

  set(name: string, isOn: boolean): void {
    this.#isOn = { ...this.#isOn, [name]: isOn };
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(this.#isOn));
    } catch {
      // A full or forbidden storage only means that the next visit starts with the usual state.
    }
    this.changes.changed();
  }
}

function stored(key: string): Record<string, boolean> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter(([, isOn]) => typeof isOn === 'boolean'));
  } catch {
    return {};
  }
}

const known = new Map<string, ViewSwitches>();

/** The switches of a view, the same object each time. */
export function switchesOf(view: string, userId: number): ViewSwitches {
  const key = `${view} ${userId}`;
  const switches = known.get(key) ?? new ViewSwitches(view, userId);
  known.set(key, switches);
  return switches;
}
