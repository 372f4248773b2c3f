/** Short notices about what just happened, such as `Message deleted` with an action to undo it. */
import { Subject } from '@heddle/client/model/changes.ts';

export interface ToastOptions {
  /** What happened. */
  readonly text: string;
  readonly kind?: 'info' | 'error';
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Replaces the notice with the same key. */
  readonly key?: string;
  /** How long it stays. Errors stay until somebody dismisses them. */
  readonly durationMs?: number;
}

export interface Toast extends ToastOptions {
  readonly id: number;
}

/** The region shows this many. Older ones make room. */
const MAX_TOASTS = 3;
const DURATION_MS = 6_000;
const DURATION_WITH_ACTION_MS = 10_000;

/** How long a notice stays; undefined if it stays until somebody dismisses it. */
export function durationOf({ kind, action, durationMs }: ToastOptions): number | undefined {
  if (durationMs !== undefined) return durationMs;
  if (kind === 'error') return undefined;
  return action === undefined ? DURATION_MS : DURATION_WITH_ACTION_MS;
}

class Toasts {
  readonly changes: Subject = new Subject();
  #toasts: readonly Toast[] = [];
  #lastId = 0;

  /** The visible notices, oldest first. */
  get list(): readonly Toast[] {
    return this.#toasts;
  }

  /** Shows a notice. Returns a function that takes it back. */
  show(options: ToastOptions): () => void {
    this.#lastId += 1;
    const toast = { ...options, id: this.#lastId };
    const others = this.#toasts.filter(({ key }) => key === undefined || key !== options.key);
    this.#toasts = [...others, toast].slice(-MAX_TOASTS);
    this.changes.changed();
    return () => this.dismiss(toast.id);
  }

  dismiss(id: number): void {
    const remaining = this.#toasts.filter((toast) => toast.id !== id);
    if (remaining.length === this.#toasts.length) return;
    this.#toasts = remaining;
    this.changes.changed();
  }
}

/** The notices of the app. `ToastRegion` shows them. */
export const toasts: Toasts = new Toasts();
