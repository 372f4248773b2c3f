import * as endpoints from '@heddle/api/endpoints/unsubscribe-pages.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { changeOwnSettings } from '../../domain/accounts/own-settings/actions.ts';
import {
  STOPPED_SETTINGS,
  type StoppableMail,
  unsubscribePath,
  userOfUnsubscribeKey,
} from '../../domain/notifications/mail-parts/unsubscribing.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { form } from '../../pages/forms.ts';
import { type HtmlValue, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';

/** What readers call these mails. */
const NAMES: Readonly<Record<StoppableMail, string>> = {
  missed_messages: 'mails about missed messages',
  digest: 'the weekly digest',
  login: 'mails about new logins',
};

export function unsubscribeRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    // Programs open links in mails, so opening it changes nothing.
    route(endpoints.getUnsubscribePage, {}, ({ organization, cookies: { csrfToken }, parameters }) => {
      const { email_type: kind, key } = parameters;
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) return invalidPage(organization);
      const content = html`
<p>${user.deliveryEmail} will no longer receive ${NAMES[kind]}. You can change this in your settings.</p>
${form({ action: `${unsubscribePath(kind, key)}/confirm`, csrfToken, submit: 'Stop these mails' })}`;
      return unsubscribePage(organization, `Stop ${NAMES[kind]}?`, content);
    }),

    route(endpoints.unsubscribeAtOnce, {}, async ({ organization, parameters: { email_type: kind, key } }) => {
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) throw badRequest('Invalid link');
      await stopMails(app, organization, user, kind);
      return {};
    }),

    route(endpoints.unsubscribeOnPage, {}, async ({ organization, parameters: { email_type: kind, key } }) => {
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) return invalidPage(organization);
      await stopMails(app, organization, user, kind);
      const content = html`<p>${user.deliveryEmail} no longer receives ${NAMES[kind]}. You can change this in your settings.</p>`;
      return unsubscribePage(organization, 'Mails are stopped', content);
    }),
  ];
}

async function stopMails(
  app: AppContext,
  organization: Organization,
  user: UserRecord,
  kind: StoppableMail,
): Promise<void> {
  const settings = Object.fromEntries(STOPPED_SETTINGS[kind].map((name) => [name, false]));
  await changeOwnSettings(app, organization, user, { settings, timezone: undefined });
}

/** The URL changes settings, so no cache may store the page. */
function unsubscribePage({ directory }: Organization, heading: string, content: HtmlValue, status?: 404): PageAnswer {
  const isRefused = status !== undefined;
  return page(layout({ heading, organization: directory.organization.name, isRefused, content }), {
    cacheControl: 'no-store',
    ...(isRefused && { status }),
  });
}

function invalidPage(organization: Organization): PageAnswer {
  const content = html`<p>Check that you copied the complete link. You can also stop mails in your settings.</p>`;
  return unsubscribePage(organization, 'This link is not valid', content, 404);
}
