/** Where mails go from here. */
export interface OutgoingMail {
  readonly to: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The same in every attempt. */
  readonly messageId: string;
  /** Likewise; letters, digits and `-`. */
  readonly fileName: string;
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

export interface Transport {
  /**
   * Resolves when somebody else has taken the mail over.
   * @throws HopelessError where no other attempt will do, and Error else; neither says anything of what is in the mail
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}
