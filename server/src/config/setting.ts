/** How one setting is read. */
export interface Setting<Value> {
  readonly variable: string;
  /** The text that stands for an unset variable; null where the value then is null. */
  readonly default: string | null;
  /** What the documentation calls the default of a setting that has no default text. */
  readonly defaultInWords?: string;
  /** Completes the sentence "accepted is …". */
  readonly accepted: string;
  /** Its value is never shown. */
  readonly isSecret?: boolean;
  /** undefined refuses the text. */
  readonly parse: (text: string) => Value | undefined;
}

/** A table of settings, one for each field of `Values`. */
export type SettingsOf<Values> = { readonly [Key in keyof Values]: Setting<Values[Key]> };
