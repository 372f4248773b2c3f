/** The pages of a desktop login, in the browser and in the app. */
import { organizationPage, type PageView } from '../../domain/organizations/organization-pictures/organization-page.ts';
import type { PageAnswer } from '../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../pages/forms.ts';
import { html } from '../../pages/html.ts';
import { richIn } from '../../pages/rich.ts';
import { TOKEN_LIFETIME_MINUTES } from './desktop-flow.ts';

const PRIVATE = { cacheControl: 'no-store' } as const;

/** In the browser, after the login. */
export function desktopTokenPage(view: PageView, encrypted: string): PageAnswer {
  const { language } = view;
  const { t } = language;
  const goOn = richIn(language)(
    'Or <link>go on in this browser</link>.',
    {},
    {
      link: (inner) => html`<a href="/login/">${inner}</a>`,
    },
  );
  const content = html`
<p>${t('Copy this token, go back to the app, and paste it there.')}</p>
${field(language, {
  name: 'token',
  label: t('Token for the app'),
  autocomplete: 'off',
  value: encrypted,
  isReadOnly: true,
  hint: t('It works once, for {minutes} minutes, and only in the app that sent you here.', {
    minutes: TOKEN_LIFETIME_MINUTES,
  }),
})}
<p class="after">${goOn}</p>`;
  return organizationPage(view, { heading: t('Finish the login in your app'), content }, PRIVATE);
}

export interface DesktopLoginPage {
  readonly view: PageView;
  readonly csrfToken: string;
  /** The address that the browser opens. */
  readonly url: string;
  /** Fields that the form sends back. */
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly problems?: Problems;
}

/** In the app. Links that belong to another window open in the browser. */
export function desktopLoginPage({ view, csrfToken, url, hidden, problems = {} }: DesktopLoginPage): PageAnswer {
  const { language } = view;
  const { t } = language;
  const isRefused = Object.keys(problems).length > 0;
  const content = html`
${errorSummary(language, problems)}
<p>${t('Log in with your browser. It then shows a token for you to copy.')}</p>
<a class="button" href="${url}" target="_blank" rel="noopener">${t('Open the browser')}</a>
${form({
  action: '/accounts/login/desktop/',
  csrfToken,
  hidden,
  submit: t('Log in'),
  isQuiet: true,
  content: field(language, {
    name: 'token',
    label: t('Token from the browser'),
    autocomplete: 'off',
    problem: problems.token,
  }),
})}
<p class="after"><a href="/login/">${t('Back to the login page')}</a></p>`;
  return organizationPage(
    view,
    { heading: t('Log in with your browser'), isRefused, content },
    { ...PRIVATE, ...(isRefused && { status: 400 }) },
  );
}

export function endedTokenPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const content = html`
<p role="alert">${t('The token was used before, or it is older than {minutes} minutes, or not complete.', { minutes: TOKEN_LIFETIME_MINUTES })}</p>
<p><a href="/login/">${t('Log in again')}</a></p>`;
  return organizationPage(
    view,
    { heading: t('You are not logged in'), isRefused: true, content },
    { ...PRIVATE, status: 400 },
  );
}
