/** What another app shares with the web app (`share_target` of the manifest). The service worker takes it, or the server without one. */

/** Browsers shorten or refuse addresses that are much longer, in characters. */
const MAX_SHARED_CHARACTERS = 16_000;

/** The text of a form: its parts that have text, each once, in lines. */
export function sharedText(parts: readonly (string | undefined)[]): string {
  const texts = parts.flatMap((part) => part?.trim().replaceAll('\r\n', '\n') || []);
  return [...new Set(texts)].join('\n');
}

/** The address of the view of the app that shares a text. If files did not arrive, the view asks for them again. */
export function addressOfShared(text: string, lacksFiles: boolean): string {
  // The end can be half a character.
  const inAddress = encodeURIComponent(text.slice(0, MAX_SHARED_CHARACTERS).toWellFormed());
  return `/#share/${lacksFiles ? 'files' : 'text'}/${inAddress}`;
}
