import {
  organizationPage,
  type PageView,
  type Viewing,
} from '../../domain/organizations/organization-pictures/organization-page.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { type LanguagePreferences, languageOfPage } from '../../pages/page-language.ts';
import { richIn } from '../../pages/rich.ts';

/** For a root domain without an organization. */
export function nobodysPage(request: LanguagePreferences & Pick<Viewing, 'openedPath'>): PageAnswer {
  const language = languageOfPage(request);
  const { t } = language;
  const documentation = richIn(language)(
    'Developers: <link>API documentation</link>',
    {},
    {
      link: (inner) => html`<a href="/api/docs/">${inner}</a>`,
    },
  );
  const content = html`
<p>${t('Open the address of your organization: it begins with its own name.')}</p>
<p class="after">${documentation}</p>`;
  const heading = t('No organization has this address');
  return page(layout({ language, path: request.openedPath, heading, content }), { status: 404 });
}

/** The page instead of the app, if the app is not built. */
export function notBuiltPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const forOperators = richIn(view.language)(
    'Do you run this server? <code>npm start</code> builds the app. If that fails, its output contains the reason.',
    {},
    { code: (inner) => html`<code>${inner}</code>` },
  );
  const content = html`
<p role="alert">${t('The web app of this server is not built.')}</p>
<p>${t('Apps for phones and desktops, bots and the API work.')}</p>
<p>${forOperators}</p>
<p class="after"><a href="/accounts/sessions/">${t('Your sessions')}</a></p>`;
  return organizationPage(view, { heading: t('The web app is missing'), isRefused: true, content }, { status: 503 });
}
