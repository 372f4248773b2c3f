import { hash } from 'node:crypto';
import { emojiData } from '../../markup/index.ts';

/** The names of all Unicode emoji by code, as the document that `server_emoji_data_url` promises. */
export const emojiDocument = JSON.stringify(emojiData);

/** Where it is served. The name changes with the content, so that clients may keep it for ever. */
export const emojiDocumentPath: `/${string}` = `/static/emoji/data-${hash('sha256', emojiDocument).slice(0, 16)}.json`;
