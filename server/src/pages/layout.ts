/** The frame of every page. Pages work without scripts. */
import { chooseLanguage, MAX_NEXT_LENGTH } from '@heddle/api/endpoints/login-pages.ts';
import { LANGUAGES } from '@heddle/api/languages.ts';
import type { Language } from '../languages/language.ts';
import { Html, type HtmlValue, html } from './html.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { FONT_PATH, STYLESHEET_PATH } from './stylesheet.ts';

/** The organization of a page, as it is shown at the top. */
export interface ShownOrganization {
  readonly name: string;
  /** The path of its picture. Pages load nothing from other sites. */
  readonly icon?: string | undefined;
  /** What it says about itself. */
  readonly description?: HtmlValue;
}

export interface PageParts {
  readonly language: Language;
  /** Where the choice of the language leads back to, usually the page. Without it there is no choice. */
  readonly path?: string | undefined;
  /** The purpose of the page: its heading, and, with the organization's name, its title. */
  readonly heading: string;
  /** The organization, if the page belongs to one. */
  readonly organization?: ShownOrganization | undefined;
  /** Whether something was refused. Then the title begins with that, because screen readers read the title first. */
  readonly isRefused?: boolean;
  /** Whether the page contains the script. Its policy must allow it (`PAGE_SCRIPT_HASH`). */
  readonly hasScript?: boolean;
  readonly content: HtmlValue;
}

/** Renders a complete page, for `page()` of `http/answers/answers.ts`. */
export function layout(parts: PageParts): string {
  const { language, path, heading, organization, isRefused = false, hasScript = false, content } = parts;
  const { t, tag } = language;
  const name = organization === undefined ? heading : `${heading} – ${organization.name}`;
  const title = isRefused ? t('Error: {title}', { title: name }) : name;
  const document = html`<!doctype html>
<html lang="${tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="preload" href="${FONT_PATH}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${STYLESHEET_PATH}">
<link rel="icon" href="data:,">
</head>
<body>
<main>
${organization !== undefined && identity(organization)}
<h1>${heading}</h1>
${content}
</main>
${path !== undefined && languageChoice(language, path)}
${hasScript && html`<script>${new Html(PAGE_SCRIPT)}</script>`}
</body>
</html>
`;
  return document.toString();
}

function identity({ name, icon, description }: ShownOrganization): Html {
  return html`<div class="identity">
${icon === undefined ? html`<span class="letter" aria-hidden="true">${[...name][0]}</span>` : html`<img src="${icon}" alt="" width="56" height="56">`}
<p class="of">${name}</p>
</div>
${description !== undefined && html`<div class="about">${description}</div>`}`;
}

/** Links, so it needs no script. Each language has its own name. */
function languageChoice({ t, tag: current }: Language, path: string): Html {
  // A refused choice would lead back to itself. Without a path, the choice leads to the login page.
  const leadsBack = path.length <= MAX_NEXT_LENGTH && !path.startsWith(chooseLanguage.path);
  const items = LANGUAGES.map(({ tag, name, awaitsReview }) => {
    const note = awaitsReview && html` <span class="hint">${t('(awaiting review)')}</span>`;
    if (tag === current) return html`<li><strong lang="${tag}" aria-current="true">${name}</strong>${note}</li>`;
    const query = new URLSearchParams({ language: tag, ...(leadsBack && { next: path }) });
    return html`<li><a href="${chooseLanguage.path}?${query.toString()}" lang="${tag}" hreflang="${tag}">${name}</a>${note}</li>`;
  });
  const name = LANGUAGES.find(({ tag }) => tag === current)?.name ?? current;
  return html`<footer><details class="languages">
<summary>${t('Language: {name}', { name })}</summary>
<ul>${items}</ul>
</details></footer>`;
}
