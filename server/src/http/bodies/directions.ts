/**
 * Characters that turn the direction of the text after them (embeddings, overrides and isolates of Unicode). In a stranger's text they make
 * names and titles look like others: `photo_gpj.exe` appears as `photo_exe.jpg`. Marks (U+200E, U+200F) turn nothing, and
 * languages from right to left need them.
 */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

export function withoutTurns(text: string): string {
  return text.replaceAll(TURNING, '');
}
