/** Multipart forms that are there whole, as clients in browsers send them: their fields, but not their files. */
import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Fields } from './parameters.ts';

/** What a part says of itself before it begins: clients do it in two or three lines. */
const MOST_LINES = 10;
const LONGEST_OPENING = 4096;

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i;
/** As the standard has it: without a blank, and nothing in it needs to be escaped. */
const BOUNDARY_CHARACTERS = /^[\w'()+,./:=?-]{1,100}$/;

/**
 * @param most fields and files
 * @throws ApiError `BAD_REQUEST` for more than that, and for what is no such form
 */
export async function multipartFields(contentType: string, body: Buffer<ArrayBuffer>, most: number): Promise<Fields> {
  const fields: Fields = Object.create(null);
  if (body.length === 0) return fields;
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? '';
  if (!BOUNDARY_CHARACTERS.test(boundary)) throw malformed();
  checkParts(body, boundary, most);
  let form: FormData;
  try {
    // It reads the boundary that was looked for, whatever else the client says.
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
    form = await new Response(body, { headers }).formData();
  } catch {
    throw malformed();
  }
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value;
  return fields;
}

/** The parser takes two seconds for 4 MB of empty files and one for 4 MB of header lines, so these are counted before it begins. */
function checkParts(body: Buffer, boundary: string, most: number): void {
  let parts = 0;
  for (let at = body.indexOf(boundary); at >= 0; at = body.indexOf(boundary, at)) {
    at += boundary.length;
    if (body.toString('latin1', at, at + 2) === '--') continue;
    parts += 1;
    if (parts > most) throw badRequest(`A request has at most ${most} parameters`);
    const opening = body.toString('latin1', at, at + LONGEST_OPENING);
    const end = opening.indexOf('\r\n\r\n');
    if (end < 0 || opening.slice(0, end).split('\r\n').length > MOST_LINES) throw malformed();
    at += end;
  }
}

function malformed(): ApiError {
  return badRequest('Malformed multipart/form-data');
}
