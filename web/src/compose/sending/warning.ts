/** A notice above the text, about what happens when the user sends the message. */
export interface Warning {
  /** Identifies what it is about, so that the user confirms or dismisses it once. */
  readonly key: string;
  readonly kind: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly actions?: readonly WarningAction[];
  /** Whether the message cannot be sent while the warning is there. */
  readonly stopsSending?: boolean;
  /** Whether the user cannot write here at all. */
  readonly blocksWriting?: boolean;
  /** Whether it is shown only after an attempt to send. */
  readonly isShownLater?: boolean;
  readonly isDismissable?: boolean;
  /** Whether the box shows it beside the button, so that it needs no banner before an attempt to send. */
  readonly isBesideButton?: boolean;
}

export interface WarningAction {
  readonly label: string;
  /** Rejects if it failed. Then the app says so. */
  readonly run: () => void | Promise<void>;
  /** Sends the message after the action. */
  readonly sends?: boolean;
}
