/** Cuts a text to a number of characters, the mark that says so included. */
export function truncate(text: string, length: number, mark: string): string {
  // A text with no more UTF-16 units than allowed characters is short enough, whatever they are.
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  return characters.slice(0, length - [...mark].length).join('') + mark;
}
