import { defineEndpoint } from '@heddle/api/contract.ts';
import { file } from '../../http/answers.ts';
import { fileInMemory } from '../../http/file-sources.ts';
import { type HeddleRoute, route } from '../rooms.ts';
import { emojiDocument, emojiDocumentPath } from './queries.ts';

const A_YEAR = 365 * 86_400;

export const getEmojiData = defineEndpoint({
  operationId: 'get-emoji-data',
  method: 'GET',
  path: emojiDocumentPath,
  outsideApi: true,
  area: 'server',
  summary: 'The names of all Unicode emoji by code',
  authentication: 'none',
  parameters: {},
  response: { gives: 'file', contentTypes: ['application/json'] },
  errors: [],
});

/** Serves the names of emoji to whoever asks, outside the API. */
export function emojiRoutes(): HeddleRoute[] {
  const source = fileInMemory(emojiDocument, 'application/json');
  const cacheControl = `public, max-age=${A_YEAR}, immutable`;
  return [
    route(getEmojiData, { limit: 'none', organization: 'optional' }, () =>
      file(source, { disposition: 'inline', cacheControl }),
    ),
  ];
}
