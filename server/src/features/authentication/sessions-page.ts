import type { UserRecord } from '../../directory/records.ts';
import { deviceIn } from '../../domain/credentials/device.ts';
import type { OpenSession } from '../../domain/credentials/sessions.ts';
import { organizationPage, type PageView } from '../../domain/organizations/organization-pictures/organization-page.ts';
import type { PageAnswer } from '../../http/answers/answers.ts';
import type { Language } from '../../languages/language.ts';
import { form } from '../../pages/forms.ts';
import { type Html, type HtmlValue, html } from '../../pages/html.ts';
import { richIn } from '../../pages/rich.ts';

export interface SessionsPage {
  readonly view: PageView;
  readonly user: UserRecord;
  readonly sessions: readonly OpenSession[];
  readonly csrfToken: string;
}

/** The sessions of the user, with buttons to end them. */
export function sessionsPage({ view, user, sessions, csrfToken }: SessionsPage): PageAnswer {
  const { language } = view;
  const { t } = language;
  const { fullName: name, deliveryEmail: address } = user;
  const content = html`
<p>${t('You are logged in as {name} ({address}).', { name, address })}</p>
<h2>${t('Browsers that you are logged in with')}</h2>
<ul>${sessions.map((session) => item(language, session))}</ul>
${form({ action: '/accounts/logout/', csrfToken, submit: t('Log out of this browser') })}
${form({ action: '/accounts/logout/everywhere/', csrfToken, submit: t('Log out of all browsers'), isQuiet: true })}
<p class="after"><a href="/">${t('Open Heddle')}</a></p>`;
  return organizationPage(view, { heading: t('Where you are logged in'), content });
}

function item(language: Language, { isThis, device, network, createdAt, usedAt }: OpenSession): Html {
  const { t } = language;
  const day = (date: Date) => language.date(date, { dateStyle: 'medium', timeZone: 'UTC' });
  const [since, last] = [day(createdAt), day(usedAt)];
  const rich = richIn(language);
  const strong = { strong: (inner: HtmlValue) => html`<strong>${inner}</strong>` };
  const program = deviceIn(language, device);
  const times = isThis
    ? rich('<strong>This browser</strong>, since {since}', { since }, strong)
    : t('Another browser, since {since}, used last on {last}', { since, last });
  return html`<li>${times}<br>${network === null ? program : t('{device} from {network}', { device: program, network })}</li>`;
}
