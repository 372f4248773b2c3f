import { readFileSync } from 'node:fs';
import { defineEndpoint } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/custom-emoji.ts';
import { rateLimited } from '@heddle/api/errors.ts';
import { accountOf } from '../../../access/bots.ts';
import type { Organization } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { file } from '../../../http/answers/answers.ts';
import { fileInMemory } from '../../../http/answers/file-sources.ts';
import { RateLimiter } from '../../../http/limits/limits.ts';
import { EXTRA_EMOJI_PATH } from '../../../markup/index.ts';
import { FOR_EVER } from '../../../pictures/kept-pictures.ts';
import { PICTURE_BODY, withBytes } from '../../../pictures/uploads.ts';
import { addEmoji, checkNewEmoji, deactivateEmoji } from './actions.ts';
import { readPictures } from './pictures.ts';
import { presentAllEmoji } from './present.ts';
import { emojiDocument, emojiDocumentPath } from './queries.ts';
import { EmojiPictureFiles } from './serving.ts';

export const getEmojiData = defineEndpoint({
  operationId: 'get-emoji-data',
  method: 'GET',
  path: emojiDocumentPath,
  outsideApi: true,
  area: 'server',
  summary: 'The names of all Unicode emoji by code',
  authentication: 'none',
  parameters: {},
  response: { kind: 'file', contentTypes: ['application/json'] },
  errors: [],
});

export const getExtraEmojiPicture = defineEndpoint({
  operationId: 'get-extra-emoji-picture',
  method: 'GET',
  path: EXTRA_EMOJI_PATH,
  outsideApi: true,
  area: 'server',
  summary: 'The picture of the emoji that is neither custom nor Unicode',
  authentication: 'none',
  parameters: {},
  response: { kind: 'file', contentTypes: ['image/png'] },
  errors: [],
});

const extraEmojiPicture = fileInMemory(readFileSync(new URL('./extra-emoji.png', import.meta.url)), 'image/png');

/** Of a user who is no administrator, with their bots: each change sends all emoji of the organization to everybody. */
const CHANGES = { requests: 100, windowSeconds: 3600 } as const;

export function emojiRoutes(app: AppContext): readonly HeddleRoute[] {
  const source = fileInMemory(emojiDocument, 'application/json');
  const pictures = new EmojiPictureFiles(app.db);
  const changes = new RateLimiter(CHANGES);
  const countChange = ({ id, directory }: Organization, caller: UserRecord): void => {
    const account = accountOf(caller);
    const { role } = directory.user(account) ?? caller;
    if (!app.config.rateLimits || role <= Role.administrator) return;
    const { isAllowed, secondsLeft } = changes.take(`${id} ${account}`);
    const { requests, windowSeconds } = CHANGES;
    if (!isAllowed) throw rateLimited(secondsLeft, `${requests} changes of custom emoji in ${windowSeconds} s`);
  };
  return [
    route(getEmojiData, { limit: 'none', organization: 'optional' }, () => file(source, FOR_EVER)),

    // Another version of the server may have another picture at the same path.
    route(getExtraEmojiPicture, { limit: 'none', organization: 'optional' }, () =>
      file(extraEmojiPicture, { disposition: 'inline', cacheControl: 'public, max-age=86400' }),
    ),

    route(endpoints.getCustomEmoji, {}, ({ organization }) => ({ emoji: presentAllEmoji(organization.directory) })),

    route(
      endpoints.uploadCustomEmoji,
      { body: { ...PICTURE_BODY, unlessOne: 'You must upload exactly one file.' } },
      async ({ parameters: { emoji_name: name }, body, organization, caller }) => {
        checkNewEmoji(organization.directory, caller, name);
        const account = `${organization.id} ${caller.id}`;
        await withBytes(account, body.content, async (bytes) => {
          const drawn = await readPictures(bytes);
          countChange(organization, caller);
          await organization.transact(caller, 'exclusive', (change, user) =>
            addEmoji(change, user, { name, pictures: drawn }),
          );
        });
        return {};
      },
    ),

    route(endpoints.deactivateCustomEmoji, {}, async ({ parameters, organization, caller }) => {
      countChange(organization, caller);
      await organization.transact(caller, 'exclusive', (change, user) =>
        deactivateEmoji(change, user, parameters.emoji_name),
      );
      return {};
    }),

    // No rate limit, because pages show many of them. A picture that is not in memory can be found only with its random
    // file name.
    route(endpoints.getEmojiPicture, { limit: 'none' }, async ({ parameters, organization }) => {
      const { organization_id: organizationId, file: name } = parameters;
      return file(await pictures.get(organization, { organizationId, file: name }, 'picture'), FOR_EVER);
    }),

    route(endpoints.getStillEmojiPicture, { limit: 'none' }, async ({ parameters, organization }) => {
      const { organization_id: organizationId, file: name } = parameters;
      return file(await pictures.get(organization, { organizationId, file: name }, 'still'), FOR_EVER);
    }),
  ];
}
