/** The notifier opens no more notifications. */
const MAX_MESSAGES = 20;
/** Later a notification is of no use any more: the code of the notifier can be out of reach for hours. In milliseconds. */
const MAX_AGE_MS = 30_000;

/** What arrives before the code of the notifier. */
export class EarlyMessages<Message> {
  // Undefined when the notifier hears the messages itself.
  #kept: { readonly message: Message; readonly at: number }[] | undefined = [];

  add(message: Message, at = Date.now()): void {
    this.#kept = this.#kept && [...this.#kept, { message, at }].slice(-MAX_MESSAGES);
  }

  /** Ends it, and returns what is recent. */
  take(now = Date.now()): readonly Message[] {
    const recent = (this.#kept ?? []).filter(({ at }) => now - at < MAX_AGE_MS);
    this.#kept = undefined;
    return recent.map(({ message }) => message);
  }
}
