/** Cuts a text to a number of characters, the mark that says so included. */
export function truncate(text: string, length: number, mark: string): string {
  // A text with no more UTF-16 units than allowed characters is short enough, whatever they are.
  if (text.length <= length) return text;
  // A character has two units at most: nothing behind those of one more decides anything, however long the text is.
  const characters = [...text.slice(0, 2 * (length + 1))];
  if (characters.length <= length) return text;
  return characters.slice(0, length - [...mark].length).join('') + mark;
}
