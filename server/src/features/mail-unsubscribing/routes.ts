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
import {
  organizationPage,
  type PageView,
  viewFor,
  viewForAccount,
} from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { PageAnswer } from '../../http/answers/answers.ts';
import { type Message, msg } from '../../languages/language.ts';
import { form } from '../../pages/forms.ts';
import { html } from '../../pages/html.ts';

interface KindTexts {
  readonly question: Message;
  readonly consequence: Message;
  readonly done: Message;
}

/** The texts for each kind of mail. Languages differ in how the kind fits into them. */
const TEXTS: Readonly<Record<StoppableMail, KindTexts>> = {
  missed_messages: {
    question: msg('Stop mails about missed messages?'),
    consequence: msg(
      '{address} will no longer receive mails about missed messages. You can change this in your settings.',
    ),
    done: msg('{address} no longer receives mails about missed messages. You can change this in your settings.'),
  },
  digest: {
    question: msg('Stop the weekly digest?'),
    consequence: msg('{address} will no longer receive the weekly digest. You can change this in your settings.'),
    done: msg('{address} no longer receives the weekly digest. You can change this in your settings.'),
  },
  login: {
    question: msg('Stop mails about new logins?'),
    consequence: msg('{address} will no longer receive mails about new logins. You can change this in your settings.'),
    done: msg('{address} no longer receives mails about new logins. You can change this in your settings.'),
  },
};

export function unsubscribeRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    // Programs open links in mails, so opening it changes nothing.
    route(endpoints.getUnsubscribePage, {}, async (request) => {
      const { organization, cookies, parameters } = request;
      const { email_type: kind, key } = parameters;
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) return invalidPage(viewFor(request));
      const view = await viewForAccount(app.db, request, user.id);
      const { t } = view.language;
      const { csrfToken } = cookies;
      const content = html`
<p>${t(TEXTS[kind].consequence, { address: user.deliveryEmail })}</p>
${form({ action: `${unsubscribePath(kind, key)}/confirm`, csrfToken, submit: t('Stop these mails') })}`;
      return organizationPage(view, { heading: t(TEXTS[kind].question), content }, PRIVATE);
    }),

    route(endpoints.unsubscribeAtOnce, {}, async ({ organization, parameters: { email_type: kind, key } }) => {
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) throw badRequest('Invalid link');
      await stopMails(app, organization, user, kind);
      return {};
    }),

    route(endpoints.unsubscribeOnPage, {}, async (request) => {
      const { organization, parameters } = request;
      const { email_type: kind, key } = parameters;
      const user = userOfUnsubscribeKey(app.secret, organization.directory, kind, key);
      if (user === undefined) return invalidPage(viewFor(request));
      await stopMails(app, organization, user, kind);
      const view = await viewForAccount(app.db, request, user.id);
      const { t } = view.language;
      const content = html`<p>${t(TEXTS[kind].done, { address: user.deliveryEmail })}</p>`;
      return organizationPage(view, { heading: t('Mails are stopped'), content }, PRIVATE);
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
const PRIVATE = { cacheControl: 'no-store' } as const;

function invalidPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const content = html`<p>${t('Check that you copied the complete link. You can also stop mails in your settings.')}</p>`;
  return organizationPage(
    view,
    { heading: t('This link is not valid'), isRefused: true, content },
    { ...PRIVATE, status: 404 },
  );
}
