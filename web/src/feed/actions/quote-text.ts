/** A mention that notifies nobody. */
export function silentMention(name: string, userId: number): string {
  return `@_**${name}|${userId}**`;
}

/**
 * Markdown that quotes a message.
 * @param said the word for `said`, which becomes the link
 */
export function quoteOf(content: string, sender: string, link: string, said: string): string {
  const fence = fenceFor(content);
  return `${sender} [${said}](${link}):\n${fence}quote\n${content}\n${fence}\n`;
}

/** A fence that is longer than every fence in the text. */
function fenceFor(content: string): string {
  const longest = (content.match(/^[ \t>]*(`{3,})/gm) ?? []).reduce(
    (most, line) => Math.max(most, line.replace(/^[ \t>]*/, '').length),
    2,
  );
  return '`'.repeat(longest + 1);
}
