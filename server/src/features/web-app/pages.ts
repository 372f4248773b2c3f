import { type PageAnswer, page } from '../../http/answers/answers.ts';
import { html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';

/** For a root domain without an organization. */
export function nobodysPage(): PageAnswer {
  const content = html`
<p>Open the address of your organization: it begins with its own name.</p>
<p class="after">Developers: <a href="/api/docs/">API documentation</a></p>`;
  return page(layout({ heading: 'No organization has this address', content }), { status: 404 });
}

/** The page instead of the app, if the app is not built. */
export function notBuiltPage(organization: string): PageAnswer {
  const content = html`
<p role="alert">The web app of this server is not built.</p>
<p>Apps for phones and desktops, bots and the API work.</p>
<p>Do you run this server? <code>npm start</code> builds the app. If that fails, its output contains the reason.</p>
<p class="after"><a href="/accounts/sessions/">Your sessions</a></p>`;
  return page(layout({ heading: 'The web app is missing', organization, isRefused: true, content }), { status: 503 });
}
