const BEGINNING = / Note:\n((?: > .*(?:\n|$))+)/;

/**
 * The note of a reminder, or an empty text. The API has no field for it. In the text that the bot will send, it is a quote
 * after the first sentence.
 * @param content the Markdown of the reminder
 */
export function noteOf(content: string): string {
  const [, quoted] = BEGINNING.exec(content.slice(0, content.indexOf('\n\n') + 1 || undefined)) ?? [];
  return (quoted ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ > /, ''))
    .join('\n');
}
