/** Cuts a text to a number of characters, including the mark at its end. */
export function truncate(text: string, length: number, mark: string): string {
  // A text with at most this many UTF-16 units has at most this many characters.
  if (text.length <= length) return text;
  // A character has at most two units. So the first units decide, however long the text is.
  const characters = [...text.slice(0, 2 * (length + 1))];
  if (characters.length <= length) return text;
  return characters.slice(0, length - [...mark].length).join('') + mark;
}
