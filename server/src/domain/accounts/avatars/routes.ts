import * as endpoints from '@heddle/api/endpoints/avatars.ts';
import { badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import { correspondentAt } from '../../../access/addresses.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { canAccess } from '../../../access/people.ts';
import { checkSpectatorsLetIn, type Viewer } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { file, redirect } from '../../../http/answers/answers.ts';
import { FOR_EVER } from '../../../pictures/kept-pictures.ts';
import { PICTURE_BODY } from '../../../pictures/uploads.ts';
import {
  type AvatarSize,
  avatarOf,
  inaccessibleAvatarUrl,
  mediumAvatarUrl,
  unknownAvatarUrl,
} from '../../users/users/avatars.ts';
import { asSpectatorsSee } from '../../users/users/seen-by-spectators.ts';
import { removeAvatar, setAvatar, withAvatar } from './actions.ts';
import { AvatarFiles } from './serving.ts';

export function avatarRoutes(app: AppContext): readonly HeddleRoute[] {
  const files = new AvatarFiles(app.db);
  const lead = (endpoint: typeof endpoints.getAvatar | typeof endpoints.getAvatarByApi, size: AvatarSize) =>
    route(endpoint, { limit: 'files' }, ({ parameters, organization: { directory }, caller }) => {
      const host = app.address.hostOf(directory.organization.subdomain);
      return redirect(urlFor({ directory, viewer: caller, host }, parameters.user, size));
    });

  return [
    route(
      endpoints.uploadAvatar,
      { body: { ...PICTURE_BODY, unlessOne: 'You must upload exactly one avatar.' } },
      async ({ body, organization, caller }) => {
        checkMayChange(organization.directory, caller);
        return withAvatar(organization, caller, body, async (pictures) => {
          const changed = await organization.transact(caller, 'exclusive', (change, user) => {
            checkMayChange(change.directory, user);
            return setAvatar(change, user, pictures);
          });
          return { avatar_url: avatarOf(organization.directory, changed).url };
        });
      },
    ),

    route(endpoints.deleteAvatar, {}, async ({ organization, caller }) => {
      const changed = await organization.transact(caller, 'exclusive', (change, user) => {
        checkMayChange(change.directory, user);
        return removeAvatar(change, user);
      });
      return { avatar_url: avatarOf(organization.directory, changed).url };
    }),

    lead(endpoints.getAvatar, 'small'),
    lead(endpoints.getMediumAvatar, 'medium'),
    lead(endpoints.getAvatarByApi, 'small'),
    lead(endpoints.getMediumAvatarByApi, 'medium'),

    // Without a limit: a page shows many pictures, and their URLs cannot be guessed.
    route(endpoints.getAvatarPicture, { limit: 'none' }, async ({ parameters, organization }) => {
      return file(await files.get(organization, parameters.organization_id, parameters.file), FOR_EVER);
    }),

    route(endpoints.getPatternPicture, { limit: 'none', organization: 'optional' }, async ({ parameters }) => {
      return file(await files.pattern(parameters.file), FOR_EVER);
    }),
  ];
}

/** @throws ApiError `BAD_REQUEST` */
function checkMayChange(directory: Directory, user: UserRecord): void {
  if (!organizationSetting(directory, 'avatar_changes_disabled') || user.role <= Role.administrator) return;
  throw badRequest('Avatar changes are disabled in this organization.');
}

/**
 * The URL of the picture of a user, named by id or address. The response reveals neither whose address it is, nor
 * whether it has an account.
 * @throws ApiError `UNAUTHORIZED` to spectators, if spectators have no access or send an address
 */
function urlFor(
  { directory, viewer, host }: { readonly directory: Directory; readonly viewer: Viewer; readonly host: string },
  named: string,
  size: AvatarSize,
): string {
  const isId = /^\d{1,10}$/.test(named);
  if (viewer === undefined) {
    checkSpectatorsLetIn(directory);
    if (!isId) throw credentialsMissing();
  }
  const found = isId ? directory.correspondent(Number(named)) : viewer && correspondentAt(directory, viewer, named);
  if (found === undefined) return inaccessibleAvatarUrl(directory, named, size);
  if (viewer !== undefined && !canAccess(directory, viewer, found)) return unknownAvatarUrl(size);
  const user = viewer === undefined ? asSpectatorsSee(found, host) : found;
  return size === 'medium' ? mediumAvatarUrl(directory, user) : avatarOf(directory, user).url;
}
