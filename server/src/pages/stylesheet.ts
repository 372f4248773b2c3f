/**
 * The stylesheet of all pages. It is small enough for one file. Browsers cache it forever, under a name that changes
 * with its content.
 */
import { hash } from 'node:crypto';

export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ground: #f1f2f6; --ink: #1c1d22; --quiet: #565a68; --line: #82879a;
  --accent: #2f4bb8; --on-accent: #fff; --wrong: #a8101f; --wrong-ground: #fdecee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1d1e24; --ground: #121317; --ink: #eceef4; --quiet: #b3b8c8; --line: #80869a;
    --accent: #a9baff; --on-accent: #10121c; --wrong: #ffa7b0; --wrong-ground: #3a171c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
main { max-width: 27rem; margin: 4vh auto; padding: 1.5rem; background: var(--paper); border-radius: .75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
main > :last-child { margin-bottom: 0; }
.after { margin: 1.5rem 0 0; }
.of { display: flex; align-items: center; gap: .625rem; margin: 0 0 .5rem; color: var(--quiet); }
.of img { flex: none; border-radius: .375rem; }
.about { margin: 1.5rem 0 0; color: var(--quiet); }
.field { margin: 1rem 0; }
label { display: block; font-weight: 600; }
.hint, .problem { margin: .125rem 0; font-size: .9375rem; }
.hint { color: var(--quiet); }
.problem { color: var(--wrong); font-weight: 600; }
input[type="text"], input[type="email"], input[type="password"], input[type="url"], select, textarea {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .625rem; font: inherit;
  color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem;
}
input[readonly] { background: var(--ground); }
input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border: 2px solid var(--wrong); }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; margin: 1rem 0 0; padding: .625rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; border: 1px solid var(--accent); border-radius: .375rem;
  background: var(--accent); color: var(--on-accent);
}
.quiet { background: transparent; color: var(--accent); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.errors { margin: 1rem 0; padding: .75rem 1rem; background: var(--wrong-ground); border-left: 4px solid var(--wrong); }
.errors h2 { margin: 0; }
.errors ul { margin: .25rem 0 0; }
.errors a { color: var(--wrong); }
code { font-size: 1rem; user-select: all; }
`;

/** Its name under `/static/pages/`, which changes with its content. */
export const STYLESHEET_FILE = `style-${hash('sha256', STYLESHEET).slice(0, 16)}.css`;

export const STYLESHEET_PATH = `/static/pages/${STYLESHEET_FILE}`;
