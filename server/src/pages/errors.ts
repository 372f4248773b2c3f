import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** The page that people see in place of one that they cannot have. */
export function errorPage({
  heading,
  text,
  more,
}: {
  readonly heading: string;
  readonly text: string;
  readonly more?: Html;
}): string {
  return layout({ heading, isRefused: true, content: html`<p role="alert">${text}</p>${more}` });
}
