import * as endpoints from '@heddle/api/endpoints/organization-pictures.ts';
import { notFound } from '@heddle/api/errors.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { OrganizationPicture, UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { file, redirect } from '../../../http/answers/answers.ts';
import { fileInMemory } from '../../../http/answers/file-sources.ts';
import type { UploadedFile } from '../../../http/bodies/file-bodies.ts';
import { FOR_EVER, KeptPictures } from '../../../pictures/kept-pictures.ts';
import { PICTURE_BODY, withBytes } from '../../../pictures/uploads.ts';
import { changePicture, checkMayChangePictures } from './actions.ts';
import { drawOrganizationPicture } from './drawing.ts';
import { pictureUrl } from './present.ts';

export function organizationPictureRoutes({ db }: AppContext): readonly HeddleRoute[] {
  const kept = new KeptPictures();

  return [
    route(
      endpoints.uploadIcon,
      { body: { ...PICTURE_BODY, unlessOne: 'You must upload exactly one icon.' } },
      async ({ body, organization, caller }) => {
        await upload(organization, caller, 'icon', body);
        return { icon_url: urlOf(organization, 'icon') };
      },
    ),

    route(endpoints.deleteIcon, {}, async ({ organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) => changePicture(change, user, 'icon', null));
      return { icon_url: urlOf(organization, 'icon') };
    }),

    route(endpoints.getIcon, { limit: 'files' }, ({ organization }) => redirect(urlOf(organization, 'icon'))),

    route(
      endpoints.uploadLogo,
      { body: { ...PICTURE_BODY, unlessOne: 'You must upload exactly one logo.' } },
      async ({ parameters, body, organization, caller }) => {
        await upload(organization, caller, logo(parameters), body);
        return {};
      },
    ),

    route(endpoints.deleteLogo, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        changePicture(change, user, logo(parameters), null),
      );
      return {};
    }),

    route(endpoints.getLogo, { limit: 'files' }, ({ parameters, organization }) =>
      redirect(urlOf(organization, logo(parameters))),
    ),

    route(endpoints.getOrganizationPicture, { limit: 'none' }, async ({ parameters, organization }) => {
      const { id, directory } = organization;
      const [, kind, random] = /^(icon|logo|night_logo)-([\da-f]{32})\.png$/.exec(parameters.file) ?? [];
      const picture = directory.organization.pictures?.[kind as OrganizationPicture];
      if (parameters.organization_id !== id || picture === undefined || picture.file !== random) throw notFound();
      const source = await kept.get(`${id}/${kind}/${random}/${picture.version}`, async () => {
        const row = await db
          .selectFrom('organization_pictures')
          .select('picture')
          .where('organization_id', '=', id)
          .where('kind', '=', kind as OrganizationPicture)
          .executeTakeFirst();
        if (row === undefined) throw notFound();
        return fileInMemory(row.picture, 'image/png');
      });
      return file(source, FOR_EVER);
    }),
  ];
}

const logo = ({ night }: { readonly night: boolean }): OrganizationPicture => (night ? 'night_logo' : 'logo');

function urlOf({ directory }: Organization, kind: OrganizationPicture): string {
  return pictureUrl(directory, directory.organization, kind);
}

async function upload(
  organization: Organization,
  caller: UserRecord,
  kind: OrganizationPicture,
  { content }: UploadedFile,
): Promise<void> {
  checkMayChangePictures(caller);
  await withBytes(`${organization.id} ${caller.id}`, content, async (bytes) => {
    const drawn = await drawOrganizationPicture(bytes, kind);
    await organization.transact(caller, 'exclusive', (change, user) => changePicture(change, user, kind, drawn));
  });
}
