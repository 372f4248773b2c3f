/** One line of the list of suggestions. */
export interface Suggestion {
  /** Unique in the list. */
  readonly key: string;
  readonly label: string;
  /** Quieter text behind the label. */
  readonly detail?: string;
  readonly icon:
    | { readonly kind: 'user'; readonly userId: number }
    | { readonly kind: 'group' | 'wildcard' | 'channel' | 'private-channel' | 'topic' | 'code' | 'command' }
    | { readonly kind: 'emoji'; readonly character: string }
    | { readonly kind: 'custom-emoji'; readonly url: string };
  /** What replaces the part that the user typed. */
  readonly insert: string;
  /** Where the cursor goes in `insert`. Default: to its end. */
  readonly cursor?: number;
  /** Whether the result asks for more, so that the list stays open. */
  readonly continues?: boolean;
}
