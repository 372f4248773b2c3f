/** Reads JSON of Slack that is not trusted. A value of another type counts as missing. */

export type SlackObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): SlackObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SlackObject) : {};
}

export function objectsOf(value: unknown): readonly SlackObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' ? String(value) : '';
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** The parts that have a text. */
export function joinedTexts(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part.trim() !== '').join(separator);
}
