import { parseTemplate } from 'url-template';

/** An address with variables (RFC 6570). */
export interface UrlTemplate {
  /** The variables in it. */
  readonly variables: ReadonlySet<string>;
  /** The address with the values. Variables without a value are left out. */
  expand(values: Readonly<Record<string, string>>): string;
}

// RFC 6570, section 2: literals, and expressions of an operator and variables with modifiers.
const NAME = /(?:\w|%[0-9a-fA-F]{2})+(?:\.(?:\w|%[0-9a-fA-F]{2})+)*/.source;
const VARIABLE = new RegExp(`^(${NAME})(?:\\*|:[1-9]\\d{0,3})?$`);

/** The template of a text; undefined where the text is invalid. */
export function urlTemplateOf(text: string): UrlTemplate | undefined {
  const variables = new Set<string>();
  // Every other piece stands between braces.
  const pieces = text.split(/[{}]/);
  if (pieces.length % 2 === 0 || !bracesAlternate(text)) return undefined;
  for (let index = 1; index < pieces.length; index += 2) {
    for (const variable of (pieces[index] ?? '').replace(/^[+#./;?&]/, '').split(',')) {
      const name = VARIABLE.exec(variable)?.[1];
      if (name === undefined) return undefined;
      variables.add(name);
    }
  }
  const template = parseTemplate(text);
  return { variables, expand: (values) => template.expand(values) };
}

function bracesAlternate(text: string): boolean {
  const braces = text.match(/[{}]/g) ?? [];
  return braces.every((brace, index) => brace === (index % 2 === 0 ? '{' : '}'));
}
