const EXCERPT_CHARACTERS = 60;

/** The beginning of a text in one line. */
export function excerptOf(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ').trim();
  return line.length > EXCERPT_CHARACTERS ? `${line.slice(0, EXCERPT_CHARACTERS)}…` : line;
}
