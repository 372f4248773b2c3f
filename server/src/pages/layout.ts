/** The frame of every page. Pages work without scripts. */
import { type HtmlValue, html } from './html.ts';
import { STYLESHEET_PATH } from './stylesheet.ts';

export interface PageParts {
  /** The purpose of the page: its heading, and, with the organization's name, its title. */
  readonly heading: string;
  /** The organization's name, if the page belongs to one. */
  readonly organization?: string | undefined;
  /** The path of the organization's icon. Pages load nothing from other sites. */
  readonly icon?: string | undefined;
  /** Whether something was refused. Then the title begins with that, because screen readers read the title first. */
  readonly isRefused?: boolean;
  readonly content: HtmlValue;
}

/** Renders a complete page, for `page()` of `http/answers/answers.ts`. */
export function layout({ heading, organization, icon, isRefused = false, content }: PageParts): string {
  const title = `${isRefused ? 'Error: ' : ''}${heading}${organization === undefined ? '' : ` – ${organization}`}`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<link rel="icon" href="data:,">
</head>
<body>
<main>
${organization !== undefined && html`<p class="of">${iconOf(icon)}${organization}</p>`}
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`;
  return document.toString();
}

function iconOf(path: string | undefined): HtmlValue {
  return path !== undefined && html`<img src="${path}" alt="" width="40" height="40">`;
}
