import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey } from '../base/account-storage.ts';

/**
 * Which sections of a view the user has opened or closed, by name. The browser remembers it per account. A section without
 * an entry has the state that its view gives it.
 */
export class ViewSwitches {
  readonly changes = new Subject();
  readonly #storageKey: string;
  #open: Readonly<Record<string, boolean>>;

  /** @param view for example `sidebar` */
  constructor(view: string, userId: number) {
    this.#storageKey = accountKey(userId, `sections-${view}`);
    this.#open = stored(this.#storageKey);
  }

  isOn(name: string, otherwise = true): boolean {
    return this.#open[name] ?? otherwise;
  }

  set(name: string, isOpen: boolean): void {
    this.#open = { ...this.#open, [name]: isOpen };
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(this.#open));
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
    return Object.fromEntries(entries.filter(([, isOpen]) => typeof isOpen === 'boolean'));
  } catch {
    return {};
  }
}

const known = new Map<string, ViewSwitches>();

/** The sections of a view, the same object each time. */
export function switchesOf(view: string, userId: number): ViewSwitches {
  const key = `${view} ${userId}`;
  const sections = known.get(key) ?? new ViewSwitches(view, userId);
  known.set(key, sections);
  return sections;
}
