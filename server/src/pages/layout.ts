/** The frame that every page of ours has. Pages are complete without scripts. */
import { type HtmlValue, html } from './html.ts';
import { STYLESHEET_PATH } from './stylesheet.ts';

export interface PageParts {
  /** What the page is for: its heading, and with the organization's name its title. */
  readonly heading: string;
  /** The organization's name, where the page is one's. */
  readonly organization?: string | undefined;
  /** Something was refused: the title says so first, since that is what is read out first. */
  readonly isRefused?: boolean;
  readonly content: HtmlValue;
}

/** A whole page, for `page()` of `http/answers.ts`. */
export function layout({ heading, organization, isRefused = false, content }: PageParts): string {
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
${organization !== undefined && html`<p class="of">${organization}</p>`}
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`;
  return document.toString();
}
