import { Readable } from 'node:stream';
import * as endpoints from '@heddle/api/endpoints/gif-picker.ts';
import { badRequest, gifServiceFailed, serviceUnavailable } from '@heddle/api/errors.ts';
import { accountOf } from '../../access/bots.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { ExternalImages } from '../../domain/texts/external-images/images.ts';
import { fileUrl } from '../../domain/uploads/present.ts';
import { Uploads } from '../../domain/uploads/uploading.ts';
import { languageOfUser } from '../../domain/users/user-settings/language.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { FileSource } from '../../http/answers/answers.ts';
import { changeGifPicker, checkMayChangeGifPicker } from './actions.ts';
import { disabledPart } from './availability.ts';
import { choosableGif, presentGif } from './found-gif.ts';
import { Later } from './later.ts';
import { openPosition, signedPosition } from './positions.ts';
import { gifPickerOf } from './queries.ts';
import { openKey } from './sealed-key.ts';
import { GifSearches } from './searching.ts';

/** Searches of an account, with its bots, that run at the same time. So it leaves a slot of its organization to others. */
const MAX_SEARCHES_PER_ACCOUNT = 1;
/** Choices of an account that run at the same time. They do not wait for its searches. */
const MAX_CHOICES_PER_ACCOUNT = 2;
/** The same for searches and for choices. */
const MAX_WAITING_REQUESTS_PER_ACCOUNT = 10;

export function gifPickerRoutes(app: AppContext): readonly HeddleRoute[] {
  const { config, db, secret } = app;
  const disabled = disabledPart(config);
  const searches = limiterOfAccounts(MAX_SEARCHES_PER_ACCOUNT);
  const choices = limiterOfAccounts(MAX_CHOICES_PER_ACCOUNT);

  /** @throws ApiError `BAD_REQUEST`: the organization has no service */
  async function pickerOf(organizationId: number) {
    const picker = disabled === undefined ? await gifPickerOf(db, organizationId) : undefined;
    if (picker === undefined) throw badRequest('This organization has no service of GIFs.');
    return picker;
  }

  return [
    route(endpoints.updateGifPicker, {}, async ({ parameters, organization, caller }) => {
      checkMayChangeGifPicker(caller);
      if (disabled !== undefined && parameters.service !== 'none') {
        throw badRequest(`The operator of this server has disabled ${disabled}, and so GIFs.`);
      }
      await organization.transact(caller, 'exclusive', (change, user) =>
        changeGifPicker(change, user, parameters, secret),
      );
      return {};
    }),

    route(endpoints.searchGifs, {}, async ({ parameters, organization, caller }) => {
      const { id: organizationId } = organization;
      const { service, rating, sealed_key } = await pickerOf(organizationId);
      const key = openKey(secret, organizationId, sealed_key);
      if (key === undefined) throw gifServiceFailed('refused');
      const query = parameters.query.trim();
      const paged = { organizationId, service, query };
      const position = parameters.position === undefined ? undefined : openPosition(secret, paged, parameters.position);
      if (position === undefined && parameters.position !== undefined) {
        throw badRequest('This is no position of this search.');
      }
      const accountId = accountOf(caller);
      const { tag: language } = await languageOfUser(db, organizationId, caller.id);
      const search = { query, position, rating, language };
      const find = async () => {
        const asking = { organizationId, accountId, service, key, search };
        const { gifs, next } = await GifSearches.of(app).find(asking);
        return {
          gifs: gifs.map((found) => presentGif(secret, organizationId, found)),
          next: next === null ? null : signedPosition(secret, paged, next),
        };
      };
      return new Later((signal) => searches.run(`${organizationId} ${accountId}`, find, 0, signal));
    }),

    route(endpoints.chooseGif, {}, async ({ parameters, organization, caller }) => {
      await pickerOf(organization.id);
      const chosen = choosableGif(secret, organization.id, parameters.gif);
      if (chosen === undefined) throw badRequest('This is no GIF of a search.');
      const upload = async () => {
        const source = await ExternalImages.of(app)
          .GIF.get(organization.id, chosen.url)
          .catch(() => {
            throw gifServiceFailed('unreachable');
          });
        const { pathId, name } = await Uploads.of(app).take(organization, caller, await fileOf(chosen.title, source));
        return { url: fileUrl(pathId), filename: name };
      };
      const account = `${organization.id} ${accountOf(caller)}`;
      return new Later((signal) => choices.run(account, upload, 0, signal));
    }),
  ];
}

function limiterOfAccounts(atOnce: number): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    atOnce,
    maxWaiting: MAX_WAITING_REQUESTS_PER_ACCOUNT,
    refusal: () => serviceUnavailable('Too many GIFs at once; please try again'),
  });
}

async function fileOf(title: string, source: FileSource) {
  const { size, contentType } = source;
  const content = await source.open({ start: 0, end: size - 1 });
  const ending = contentType.replace('image/', '');
  return {
    name: `${title.replaceAll(/[/\\]/g, ' ').trim() || 'GIF'}.${ending}`,
    contentType,
    content: Readable.from(content, { objectMode: false }),
    size: () => size,
  };
}
