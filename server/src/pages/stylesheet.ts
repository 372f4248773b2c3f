/**
 * The stylesheet of all pages. It is small enough for one file. Browsers cache it forever, under a name that changes
 * with its content.
 */
import { hash } from 'node:crypto';
import { getWebAppFile } from '@heddle/api/endpoints/web-app.ts';
import { LATIN_FONT_FILE } from '@heddle/api/web-app.ts';

/** The font of the app. If the app is not built, it is missing, and pages have a font of the system. */
export const FONT_PATH = getWebAppFile.path.replace('{file}', LATIN_FONT_FILE);

/** The fonts and the tokens are those of the app (`web/src/design/inter.css`, `tokens.css`); `stylesheet.test.ts` compares them. */
export const STYLESHEET = `
@font-face {
  font-family: "Inter Variable";
  font-style: normal;
  font-display: swap;
  font-weight: 100 900;
  src: url("${FONT_PATH}") format("woff2");
}
@font-face {
  font-family: "Inter Fallback";
  src: local("Arial"), local("ArialMT"), local("Liberation Sans"), local("LiberationSans"), local("Arimo");
  ascent-override: 90.49%;
  descent-override: 22.56%;
  line-gap-override: 0%;
  size-adjust: 107.06%;
}
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #17181b);
  --ground: light-dark(#f7f7f9, #111214);
  --sunken: light-dark(#f2f3f5, #0e0f11);
  --hover: light-dark(rgb(20 22 40 / 4.5%), rgb(235 238 255 / 6%));
  --ink: light-dark(#1b1c21, #ebecf0);
  --ink-quiet: light-dark(#4d505a, #b1b4be);
  --line: light-dark(#e5e6ea, #2a2c31);
  --edge: light-dark(#868a95, #737884);
  --accent: light-dark(#3a50c2, #8b9dff);
  --accent-hover: light-dark(#3246b0, #9dacff);
  --on-accent: light-dark(#ffffff, #0f1226);
  --accent-ink: light-dark(#3349b8, #a3b2ff);
  --accent-soft: light-dark(#eceffc, #20253a);
  --focus: light-dark(#3a50c2, #94a5ff);
  --danger: light-dark(#b3261e, #ff938a);
  --danger-soft: light-dark(#fdefee, #351a18);
  --font: "Inter Variable", "Inter Fallback", system-ui, sans-serif, var(--font-emoji);
  --font-emoji: "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", "Twemoji";
  --font-code: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
  --text-m: 0.875rem;
  --text-l: 0.9375rem;
  --text-2xl: 1.375rem;
  --leading: 1.45;
  --leading-tight: 1.25;
  --bold: 600;
  --s1: 0.25rem;
  --s2: 0.5rem;
  --s3: 0.75rem;
  --s4: 1rem;
  --s6: 1.5rem;
  --s8: 2rem;
  --radius-m: 0.375rem;
  --radius-l: 0.625rem;
}
@media (prefers-contrast: more) {
  :root {
    --ink: light-dark(#000000, #ffffff); --ink-quiet: light-dark(#24262c, #e4e6ec); --line: light-dark(#6e727d, #8d919c);
    --edge: light-dark(#383a42, #d0d3db); --accent: light-dark(#20349c, #b9c5ff); --accent-ink: light-dark(#1b2d8c, #c4ceff);
    --focus: light-dark(#000000, #ffffff); --danger: light-dark(#8c140e, #ffb3ac);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/var(--leading) var(--font); -webkit-text-size-adjust: 100%; }
body {
  display: grid; align-content: center; justify-items: center; gap: var(--s4); min-height: 100vh; min-height: 100dvh; margin: 0;
  padding: var(--s4); background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
}
main {
  width: 100%; max-width: 25rem; min-width: 0; padding: var(--s8); background: var(--paper); border: 1px solid var(--line);
  border-radius: var(--radius-l);
}
@media (max-width: 30rem) { main { padding: var(--s6) var(--s4); } }
h1 { margin: 0 0 var(--s3); font-size: var(--text-2xl); line-height: var(--leading-tight); font-weight: var(--bold); }
h2 { margin: var(--s6) 0 var(--s1); font-size: 1rem; font-weight: var(--bold); }
p { margin: 0 0 var(--s4); }
ul { padding-inline-start: 1.25rem; }
main > :last-child { margin-bottom: 0; }
.after { margin: var(--s4) 0 0; }
.identity { display: grid; justify-items: center; gap: var(--s2); margin: 0 0 var(--s4); text-align: center; }
.of { margin: 0; font-size: 1.0625rem; font-weight: var(--bold); }
.identity img, .letter { width: 3.5rem; height: 3.5rem; border-radius: var(--radius-l); }
.letter { display: grid; place-items: center; background: var(--accent-soft); color: var(--accent-ink); font-size: 1.75rem; font-weight: var(--bold); }
.about { margin: 0 0 var(--s6); color: var(--ink-quiet); font-size: var(--text-l); text-align: center; }
.about :last-child { margin-bottom: 0; }
.identity ~ h1 { padding-top: var(--s4); border-top: 1px solid var(--line); }
.field { margin: var(--s4) 0; }
label { display: block; font-size: var(--text-l); font-weight: var(--bold); }
.hint, .problem { margin: .125rem 0; font-size: var(--text-m); }
.hint { color: var(--ink-quiet); }
.problem { color: var(--danger); font-weight: var(--bold); }
input[type="text"], input[type="email"], input[type="password"], input[type="url"], select, textarea {
  display: block; width: 100%; min-height: 2.75rem; margin-top: var(--s1); padding: var(--s2) var(--s3); font: inherit;
  color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: var(--radius-m);
}
input[readonly] { background: var(--sunken); }
input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border: 2px solid var(--danger); }
.secret { position: relative; }
.secret input { padding-inline-end: 2.75rem; }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; margin: var(--s4) 0 0; padding: .625rem var(--s4); font: inherit;
  font-weight: var(--bold); text-align: center; text-decoration: none; cursor: pointer; border: 1px solid var(--accent);
  border-radius: var(--radius-m); background: var(--accent); color: var(--on-accent);
}
button:hover, .button:hover { background: var(--accent-hover); }
.quiet { background: var(--paper); color: var(--accent-ink); border-color: var(--edge); }
.quiet:hover { background: var(--accent-soft); }
.reveal {
  position: absolute; inset-block-start: 0; inset-inline-end: 0; display: grid; place-items: center; width: 2.75rem; height: 2.75rem;
  min-height: 0; margin: 0; padding: 0; border: 0; background: none; color: var(--ink-quiet);
}
.reveal:hover { background: none; color: var(--ink); }
.reveal[hidden] { display: none; }
.reveal svg { width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.reveal[aria-pressed="false"] .stroke { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
a { color: var(--accent-ink); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.errors { margin: var(--s4) 0; padding: var(--s3) var(--s4); background: var(--danger-soft); border-inline-start: 4px solid var(--danger); border-radius: var(--radius-m); }
.errors h2 { margin: 0; }
.errors ul { margin: var(--s1) 0 0; }
.errors a { color: var(--danger); }
footer { max-width: 100%; color: var(--ink-quiet); font-size: var(--text-l); }
.languages summary { min-height: 2.75rem; padding: .625rem var(--s3); cursor: pointer; border-radius: var(--radius-m); }
.languages summary:hover { background: var(--hover); }
.languages ul { margin: 0; padding: 0 var(--s3); list-style: none; }
.languages li { padding: var(--s2) 0; }
code { font-family: var(--font-code); font-size: var(--text-l); user-select: all; }
@media (forced-colors: active) { .reveal svg { stroke: ButtonText; } }
`;

/** Its name under `/static/pages/`, which changes with its content. */
export const STYLESHEET_FILE = `style-${hash('sha256', STYLESHEET).slice(0, 16)}.css`;

export const STYLESHEET_PATH = `/static/pages/${STYLESHEET_FILE}`;
