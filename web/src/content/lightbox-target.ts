/** What the lightbox shows first. */
export interface LightboxTarget {
  /** The message that contains it. Undefined for a preview of a message that is not sent. */
  readonly messageId: number | undefined;
  /** The address of the original, as the link in the message has it. */
  readonly href: string;
  /** The pictures and films of the same message, in their order. */
  readonly media: readonly MediaItem[];
}

/** A picture or film of a message. */
export interface MediaItem {
  readonly kind: 'image' | 'video';
  /** The address of the original. */
  readonly href: string;
  /** What the browser can show: a conversion of formats that browsers do not know, else the original. */
  readonly source: string;
  /** A small picture that the message shows. Undefined for films. */
  readonly thumbnail: string | undefined;
  readonly name: string;
  /** In pixels, if the server knows them. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}
