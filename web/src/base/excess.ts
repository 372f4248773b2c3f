/** How many characters a text is over the limit. The server counts Unicode characters, not units of UTF-16. */
export function excessOf(text: string, limit: number): number {
  return text.length <= limit ? 0 : Math.max(0, [...text].length - limit);
}
