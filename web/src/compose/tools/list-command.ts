/** The Markdown of a poll or a to-do list. */
export function listCommand(kind: 'poll' | 'todo', title: string, entries: string): string {
  const lines = entries
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [`/${kind} ${title.trim()}`.trimEnd(), ...lines].join('\n');
}
