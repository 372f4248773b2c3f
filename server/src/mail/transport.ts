/** A mail that is ready to be sent, and the interface of what sends it. */
import type { MailHeaders } from './mail.ts';

export interface OutgoingMail extends MailHeaders {
  readonly to: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The same in every attempt. */
  readonly messageId: string;
  /** The same in every attempt. Letters, digits and `-` only. */
  readonly fileName: string;
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

export interface Transport {
  /**
   * Resolves when another system is responsible for the mail.
   * @throws HopelessError if a retry would fail too, else Error. Neither contains any content of the mail.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}
