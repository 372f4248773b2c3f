/** How requests carry their parameters. */
import type { Fields, NamedBlob, Row } from './operation.ts';

/** The fields as text: JSON for values that are not strings. `undefined` is left out. */
function texts(row: Row, fields: Fields): readonly (readonly [name: string, text: string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const isBare = typeof value === 'string' && !row.quoted.includes(name);
    return [[name, isBare ? value : JSON.stringify(value)]];
  });
}

/** The query of a request without a body, with its question mark. Empty without fields. */
export function queryOf(row: Row, fields: Fields): string {
  const query = new URLSearchParams(texts(row, fields).map(([name, text]) => [name, text]));
  return query.size === 0 ? '' : `?${query}`;
}

/** The body of a request: a form, or one with a file after all fields, as the server requires. */
export function bodyOf(row: Row, { file, ...fields }: Fields): URLSearchParams | FormData {
  if (row.takes === 'form' || file === undefined) {
    // A form of an operation without a file can have a field of that name.
    return new URLSearchParams(
      texts(row, row.takes === 'form' ? { ...fields, file } : fields).map(([...pair]) => pair),
    );
  }
  const form = new FormData();
  for (const [name, text] of texts(row, fields)) form.append(name, text);
  const blob = file as NamedBlob;
  form.append('file', blob, blob.name ?? 'file');
  return form;
}
