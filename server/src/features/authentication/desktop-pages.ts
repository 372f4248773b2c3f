/** The pages of a desktop login, in the browser and in the app. */
import type { Organization } from '../../directory/organization.ts';
import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../pages/forms.ts';
import { html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { TOKEN_LIFETIME_MINUTES } from './desktop-flow.ts';

const PRIVATE = { cacheControl: 'no-store' } as const;

/** In the browser, after the login. */
export function desktopTokenPage({ directory }: Organization, encrypted: string): PageAnswer {
  const content = html`
<p>Copy this token, go back to the app, and paste it there.</p>
${field({
  name: 'token',
  label: 'Token for the app',
  autocomplete: 'off',
  value: encrypted,
  isReadOnly: true,
  hint: `It works once, for ${TOKEN_LIFETIME_MINUTES} minutes, and only in the app that sent you here.`,
})}
<p class="after">Or <a href="/login/">go on in this browser</a>.</p>`;
  const { name } = directory.organization;
  return page(layout({ heading: 'Finish the login in your app', organization: name, content }), PRIVATE);
}

export interface DesktopLoginPage {
  readonly organization: Organization;
  readonly csrfToken: string;
  /** The address that the browser opens. */
  readonly url: string;
  /** Fields that the form sends back. */
  readonly hidden: Readonly<Record<string, string | undefined>>;
  readonly problems?: Problems;
}

/** In the app. Links that belong to another window open in the browser. */
export function desktopLoginPage({
  organization: { directory },
  csrfToken,
  url,
  hidden,
  problems = {},
}: DesktopLoginPage): PageAnswer {
  const isRefused = Object.keys(problems).length > 0;
  const content = html`
${errorSummary(problems)}
<p>Log in with your browser. It then shows a token for you to copy.</p>
<a class="button" href="${url}" target="_blank" rel="noopener">Open the browser</a>
${form({
  action: '/accounts/login/desktop/',
  csrfToken,
  hidden,
  submit: 'Log in',
  isQuiet: true,
  content: field({
    name: 'token',
    label: 'Token from the browser',
    autocomplete: 'off',
    problem: problems.token,
  }),
})}
<p class="after"><a href="/login/">Back to the login page</a></p>`;
  const { name } = directory.organization;
  return page(layout({ heading: 'Log in with your browser', organization: name, isRefused, content }), {
    ...PRIVATE,
    ...(isRefused && { status: 400 }),
  });
}

export function endedTokenPage({ directory }: Organization): PageAnswer {
  const content = html`
<p role="alert">The token was used before, or it is older than ${TOKEN_LIFETIME_MINUTES} minutes, or not complete.</p>
<p><a href="/login/">Log in again</a></p>`;
  const { name } = directory.organization;
  return page(layout({ heading: 'You are not logged in', organization: name, isRefused: true, content }), {
    ...PRIVATE,
    status: 400,
  });
}
