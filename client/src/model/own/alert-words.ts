import type { EventOfType, InitialState } from '../../calls/types.ts';
import { Subject } from '../changes.ts';

/** The words of which the user wants to be notified. Messages with one have the flag `has_alert_word`. */
export class AlertWords {
  readonly changes = new Subject();
  words: readonly string[];

  constructor(state: InitialState) {
    this.words = state.alert_words ?? [];
  }

  apply({ alert_words }: EventOfType<'alert_words'>): void {
    this.words = alert_words;
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    return this.words.toSorted();
  }
}
