/** Forms that work without scripts, with a keyboard and with a screen reader. */
import type { Language } from '../languages/language.ts';
import { type Html, type HtmlValue, html } from './html.ts';

/** What browsers and password managers fill in (HTML, "Autofill field"). */
export type Autocomplete =
  | 'off'
  | 'username'
  | 'email'
  | 'current-password'
  | 'new-password'
  | 'name'
  | 'organization'
  | 'url';

export interface Field {
  /** The parameter's name, and the element's id. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: Autocomplete;
  /** The current value. A password is never sent back. */
  readonly value?: string | undefined;
  readonly hint?: HtmlValue;
  /** What is wrong with the submitted value. */
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
  readonly isReadOnly?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Whether it has the focus when the page opens. */
  readonly isFirst?: boolean;
}

/** Renders a text field with its label, its hint and its problem. Screen readers read all of them with the field. */
export function field({ t }: Language, of: Field): Html {
  const { name, label, type = 'text', autocomplete, value, hint, problem, isOptional = false, isReadOnly = false } = of;
  const hasHint = hint !== undefined && hint !== null && hint !== false;
  const notes = [hasHint && `${name}-hint`, problem !== undefined && `${name}-problem`].filter((id) => id !== false);
  const input = html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${attributes({
    value: type === 'password' ? undefined : value,
    required: !isOptional,
    readonly: isReadOnly,
    minlength: of.minLength,
    maxlength: of.maxLength,
    autocapitalize: type === 'text' && autocomplete !== 'name' ? 'none' : undefined,
    spellcheck: 'false',
    autofocus: of.isFirst,
    'aria-invalid': problem === undefined ? undefined : 'true',
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
  })}>`;
  return html`<div class="field">
<label for="${name}">${isOptional && !isReadOnly ? t('{label} (optional)', { label }) : label}</label>
${hasHint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}
${type === 'password' ? html`<div class="secret">${input}${revealing(name, t('Show the password'))}</div>` : input}
</div>`;
}

/** The script of the page shows the button (`page-script.ts`). */
function revealing(name: string, label: string): Html {
  return html`<button type="button" class="reveal" data-shows="${name}" aria-pressed="false" title="${label}" hidden>
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12Z"/><circle cx="12" cy="12" r="3"/><path class="stroke" d="m4 20 16-16"/></svg>
<span class="unseen">${label}</span></button>`;
}

export interface FormParts {
  /** The path to which the form is sent. */
  readonly action: string;
  /** `request.csrfToken`. The server refuses a form without one. */
  readonly csrfToken: string;
  /** Fields that are not shown. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly content?: HtmlValue;
  readonly submit: string;
  /** Whether the button is not the main action of the page. */
  readonly isQuiet?: boolean;
}

/**
 * Renders a form that is posted, with its CSRF token. The server validates the fields, so that its own messages are
 * shown.
 */
export function form({ action, csrfToken, hidden = {}, content, submit, isQuiet = false }: FormParts): Html {
  const fields = Object.entries({ csrfmiddlewaretoken: csrfToken, ...hidden }).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}" novalidate>
${fields}
${content}
<button type="submit"${attributes({ class: isQuiet ? 'quiet' : undefined })}>${submit}</button>
</form>`;
}

/** Problems by the name of their field. A problem that concerns no single field has the name ''. */
export type Problems = Readonly<Record<string, string>>;

/**
 * Renders a summary of the problems with a link to each field. Screen readers read it at once. Undefined if there are
 * no problems.
 */
export function errorSummary({ t }: Language, problems: Problems): Html | undefined {
  const entries = Object.entries(problems);
  if (entries.length === 0) return undefined;
  const items = entries.map(([name, problem]) =>
    name === '' ? html`<li>${problem}</li>` : html`<li><a href="#${name}">${problem}</a></li>`,
  );
  return html`<div class="errors" role="alert" tabindex="-1" autofocus>
<h2>${t('There is a problem')}</h2>
<ul>${items}</ul>
</div>`;
}

/** Renders attributes. It omits those that are undefined or false; true means an attribute without a value. */
function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): readonly Html[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    // The names come from this file only, so they need no escaping.
    return value === true ? [html` ${name}`] : [html` ${name}="${value}"`];
  });
}
