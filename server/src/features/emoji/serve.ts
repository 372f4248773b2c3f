import type { FastifyInstance } from 'fastify';
import { emojiDocument, emojiDocumentPath } from './queries.ts';

const A_YEAR = 365 * 86_400;

/** Serves the names of emoji to whoever asks, outside the API. */
export function serveEmojiData(app: FastifyInstance): void {
  app.get(emojiDocumentPath, (_, reply) =>
    reply
      .header('content-type', 'application/json')
      .header('cache-control', `public, max-age=${A_YEAR}, immutable`)
      .send(emojiDocument),
  );
}
