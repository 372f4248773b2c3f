import type { ParsedUrlQuery } from 'node:querystring';

/** Fields by name, as `node:querystring` returns them: an object without a prototype. A repeated name has a list. */
export type Fields = ParsedUrlQuery;
