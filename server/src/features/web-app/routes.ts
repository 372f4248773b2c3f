/** The web app: its page at the organization's address, its files, its service worker, and its manifest. */
import { createHmac, randomBytes } from 'node:crypto';
import {
  getWebApp,
  getWebAppFile,
  getWebManifest,
  getWebWorker,
  shareWithWebApp,
} from '@heddle/api/endpoints/web-app.ts';
import { notFound } from '@heddle/api/errors.ts';
import { letsSpectatorsIn } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { whoIsLoggedIn } from '../../domain/credentials/sessions.ts';
import { viewFor, viewForAccount } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { completeSettings, storedSettings } from '../../domain/users/user-settings/queries.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { file, page, redirect } from '../../http/answers/answers.ts';
import { fileInMemory } from '../../http/answers/file-sources.ts';
import { routeFor } from '../../http/requests/route.ts';
import { languageOfPage } from '../../pages/page-language.ts';
import { HEDDLE_VERSION } from '../../version.ts';
import { manifestOf } from './manifest.ts';
import { nobodysPage, notBuiltPage } from './pages.ts';
import { leadToShare } from './sharing.ts';
import { WebBuild } from './web-build.ts';

/** The only other server from which the app may load pictures, and only with `HEDDLE_GRAVATAR=on`. */
const GRAVATAR = 'https://secure.gravatar.com';

const MIB_BYTES = 1024 * 1024;

/** Forms with large files come too, and lead to the app. What the server does not read costs it little. */
const SHARED_FORM = { maximumBytes: 1024 * MIB_BYTES, withinSeconds: 30 };

const routeAtRoot = routeFor<Organization | undefined, UserRecord>();

export function webAppRoutes(app: AppContext): readonly HeddleRoute[] {
  const build = WebBuild.open(app.config.webDirectory);
  const gravatar = app.config.gravatar === 'on';
  const pictureOrigins = gravatar ? [GRAVATAR] : [];

  return [
    routeAtRoot(getWebApp, { organization: 'optional' }, async (request) => {
      const { organization, cookies, languages, openedPath, userAgent, remoteAddress } = request;
      if (organization === undefined) return nobodysPage(request);
      const { directory } = organization;
      const { name, subdomain } = directory.organization;
      const user = await whoIsLoggedIn(app, { organization, cookies, userAgent, remoteAddress });
      if (user === undefined) {
        // The session has ended. With its cookie, the requests of a spectator would count as failed logins.
        if (cookies.session !== undefined) cookies.endSession();
        // Browsers keep the fragment of the address for the login page, which passes it on.
        if (!letsSpectatorsIn(directory)) return redirect('/login/?next=%2F');
      } else cookies.ensureCsrfCookie();
      if (build === undefined) {
        const viewing = { organization, cookies, languages, openedPath };
        return notBuiltPage(user === undefined ? viewFor(viewing) : await viewForAccount(app.db, viewing, user.id));
      }
      const nonce = randomBytes(18).toString('base64');
      const settings = user && completeSettings(await storedSettings(app.db, organization.id, user.id));
      const start = {
        userId: user?.id ?? null,
        textKey: user === undefined ? null : textKeyOf(app.secret, organization.id, user.id),
        language: settings?.default_language ?? null,
        csrfCookie: cookies.csrfCookie,
        serverUrl: app.address.of(subdomain),
        organizationName: name,
        version: HEDDLE_VERSION,
        gravatar,
        sendsMails: app.config.smtpUrl !== null,
      };
      return page(build.page({ start, nonce, settings }), { app: { styleNonce: nonce, pictureOrigins } });
    }),

    // Pages of errors need the font: at hosts without an organization, too.
    route(getWebAppFile, { limit: 'none', organization: 'none' }, ({ parameters }) => {
      const source = build?.file(parameters.file);
      if (source === undefined) throw notFound();
      return file(source, {
        disposition: 'inline',
        cacheControl: 'public, max-age=31536000, immutable',
        isOfApp: true,
      });
    }),

    // A browser looks for a new worker with each visit. At the root, the worker may answer for the page.
    routeAtRoot(getWebWorker, { organization: 'optional' }, () => {
      if (build?.worker === undefined) throw notFound();
      return file(build.worker, { disposition: 'inline', cacheControl: 'no-cache', isOfApp: true });
    }),

    route(shareWithWebApp, { body: SHARED_FORM }, ({ body }) => leadToShare(body)),

    route(getWebManifest, {}, ({ organization, cookies, languages }) => {
      const { icons = [], screenshots = [] } = build ?? {};
      const organizationName = organization.directory.organization.name;
      const language = languageOfPage({ cookies, languages });
      const manifest = manifestOf({ organizationName, icons, screenshots, language });
      return file(fileInMemory(JSON.stringify(manifest), 'application/manifest+json'), {
        disposition: 'inline',
        cacheControl: 'no-cache',
        isOfApp: true,
      });
    }),
  ];
}

/** What a browser encrypts with it can be read only after the next login of this user. */
function textKeyOf(secret: Buffer, organizationId: number, userId: number): string {
  return createHmac('sha256', secret).update(`heddle: texts of user\n${organizationId} ${userId}`).digest('hex');
}
