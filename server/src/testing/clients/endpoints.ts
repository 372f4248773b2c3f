import type { Endpoint } from '@heddle/api/contract.ts';

/** The path with its parameters filled in from the fields, and the remaining fields. */
export function fillPath(endpoint: Endpoint, fields: Readonly<Record<string, unknown>>) {
  const rest: Record<string, unknown> = { ...fields };
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encode(String(value));
  });
  return { path, rest };
}

/** Encodes unpaired surrogates, which are not valid text, as the bytes that some programs send. */
function encode(text: string): string {
  return Array.from(text, (character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join(
    '',
  );
}
