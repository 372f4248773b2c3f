/**
 * Finds the texts of the app and of the server in their sources: the arguments of `t`, `msg` and `rich`, and `<T text>`. Also finds texts that
 * cannot be translated.
 */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'vite';

export interface Finding {
  /** Relative to the folder of the workspace. */
  readonly path: string;
  readonly line: number;
  readonly problem: string;
}

/** A place in the sources where the text is used. */
export interface Use {
  readonly path: string;
  readonly line: number;
  /** The names of the values, if the source states them. */
  readonly values: readonly string[] | undefined;
}

export interface SourceTexts {
  readonly texts: ReadonlyMap<string, readonly Use[]>;
  readonly findings: readonly Finding[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Properties of elements that people read or hear. */
const SHOWN =
  /^(?:aria-(?:label|description|roledescription|valuetext)|alt|description|detail|emptyText|heading|hint|label|message|name|note|placeholder|summary|text|title|tooltip|\w+(?:Label|Title|Text|Placeholder))$/;
/** Properties with these names are not shown on these elements. */
const NAMES = new Set(['input', 'meta', 'form', 'slot', 'RadioGroup', 'DisclosureGroup']);
/** Values that are part of a component's vocabulary, not texts: `kind="danger"` has no capital and no space. */
const HAS_WORD = /\p{L}{2}/u;
/** The name of a setting, such as `enter_sends`. */
const SETTING = /^[a-z]+(?:_[a-z0-9]+)+$/;

const WHOLE_FILE = 'not translated, the whole file: ';

const FUNCTION = /^(?:ArrowFunctionExpression|FunctionDeclaration|FunctionExpression)$/;

/** Texts of one file. `path` is relative to the folder of the workspace. */
export function textsOf(path: string, source: string): { uses: [string, Use][]; findings: Finding[] } {
  const { program, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const reader = new Reader(path, source);
  reader.visit(program as unknown as Node, 0);
  return reader;
}

class Reader {
  readonly uses: [string, Use][] = [];
  readonly findings: Finding[] = [];
  readonly #path: string;
  readonly #source: string;

  constructor(path: string, source: string) {
    this.#path = path;
    this.#source = source;
  }

  /** Visits `node` and what is inside. `depth` counts the functions around it. */
  visit(node: Node, depth: number): void {
    if (node.type === 'CallExpression') this.#call(node, depth);
    else if (node.type === 'TaggedTemplateExpression') this.#template(node);
    else if (node.type === 'JSXOpeningElement') this.#element(node);
    else if (node.type === 'JSXText') this.#literal(String(node.value), node);
    else if (node.type === 'JSXElement' || node.type === 'JSXFragment') this.#children(node);
    const inside = FUNCTION.test(node.type) ? depth + 1 : depth;
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const each of value) if (isNode(each)) this.visit(each, inside);
      if (isNode(value)) this.visit(value, inside);
    }
  }

  #call(node: Node, depth: number): void {
    const callee = node.callee as Node;
    const name = this.#translates(callee);
    if (name === undefined) return;
    const [first, second] = node.arguments as Node[];
    const text = first && literalText(first);
    if (name === 't' && depth === 0) {
      this.#find(node, 't(…) runs before the language is known; use msg(…) here, and t(…) while rendering');
    }
    if (text === undefined) {
      if (name === 'msg') this.#find(node, 'msg(…) needs one string literal');
      return;
    }
    this.#use(text, node, name === 'msg' ? undefined : keysOf(second));
  }

  /** `t`, `msg` or `rich`, if a call of this function translates. `richIn(language)(…)` is `rich`, and `language.t(…)` is `t`. */
  #translates(callee: Node): 't' | 'msg' | 'rich' | undefined {
    const { type, name } = callee;
    if (type === 'Identifier') return name === 't' || name === 'msg' || name === 'rich' ? name : undefined;
    if (type === 'CallExpression') return (callee.callee as Node).name === 'richIn' ? 'rich' : undefined;
    if (type !== 'MemberExpression' || (callee.property as Node).name !== 't') return undefined;
    const object = callee.object as Node;
    const owner = object.type === 'MemberExpression' ? (object.property as Node) : object;
    return owner.name === 'language' ? 't' : undefined;
  }

  /** The HTML of pages and mails. Values are checked where they are made. */
  #template(node: Node): void {
    if ((node.tag as Node).name !== 'html') return;
    const quasis = (node.quasi as Node).quasis as Node[];
    const markup = quasis.map(({ value }) => (value as { raw: string }).raw).join('\0');
    for (const [, text = ''] of markup.matchAll(/(?:^|>)([^<>]*)(?=<|$)/g))
      this.#literal(text.replaceAll('\0', ' '), node);
    for (const [, text = ''] of markup.matchAll(/\b(?:alt|aria-label|placeholder|title)="([^"]*)"/g)) {
      this.#literal(text.replaceAll('\0', ' '), node);
    }
  }

  #element(node: Node): void {
    const name = String((node.name as Node).name ?? '');
    const attributes = (node.attributes as Node[]).filter(({ type }) => type === 'JSXAttribute');
    const attributeOf = (wanted: string) => attributes.find((each) => String((each.name as Node).name) === wanted);
    if (name === 'T') {
      const value = attributeOf('text')?.value as Node | undefined;
      const text = value && literalText(value.type === 'JSXExpressionContainer' ? (value.expression as Node) : value);
      const values = attributeOf('values')?.value as Node | undefined;
      if (text !== undefined) this.#use(text, node, keysOf(values?.expression as Node | undefined));
      return;
    }
    for (const attribute of attributes) {
      const key = String((attribute.name as Node).name);
      const value = attribute.value as Node | null;
      if (value === null || !isShown(name, key)) continue;
      if (value.type === 'JSXExpressionContainer') this.#shown(value.expression as Node);
      else this.#literal(String(value.value), value);
    }
  }

  #children(node: Node): void {
    for (const child of node.children as Node[]) {
      if (child.type === 'JSXExpressionContainer') this.#shown(child.expression as Node);
    }
  }

  /** An expression whose value is shown. What functions return is theirs to check. */
  #shown(node: Node): void {
    if (node.type === 'ConditionalExpression') {
      this.#shown(node.consequent as Node);
      this.#shown(node.alternate as Node);
    } else if (node.type === 'LogicalExpression') {
      this.#shown(node.right as Node);
    } else if (node.type === 'Literal' && typeof node.value === 'string') {
      this.#literal(node.value, node);
    } else if (node.type === 'TemplateLiteral') {
      for (const part of node.quasis as Node[]) this.#literal(String((part.value as { raw: string }).raw), node);
    }
  }

  #literal(text: string, node: Node): void {
    if (!HAS_WORD.test(text) || SETTING.test(text)) return;
    this.#find(node, `"${text.trim()}" cannot be translated; write t('…')`);
  }

  #use(text: string, node: Node, values: readonly string[] | undefined): void {
    this.uses.push([text, { path: this.#path, line: this.#lineOf(node), values }]);
  }

  /** Reports a problem, unless the line or the one before says `not translated`, or a comment says so of the whole file. */
  #find(node: Node, problem: string): void {
    if (this.#source.includes(WHOLE_FILE)) return;
    const line = this.#lineOf(node);
    const lines = this.#source.split('\n').slice(Math.max(0, line - 2), line);
    if (lines.some((each) => each.includes('not translated'))) return;
    this.findings.push({ path: this.#path, line, problem });
  }

  #lineOf({ start, type }: Node): number {
    const skipped = type === 'JSXText' ? (/^\s*/.exec(this.#source.slice(start))?.[0].length ?? 0) : 0;
    return this.#source.slice(0, start + skipped).split('\n').length;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function isShown(element: string, key: string): boolean {
  return SHOWN.test(key) && !(key === 'name' && (NAMES.has(element) || /^[a-z]/.test(element)));
}

/** The value of a string or of a template without placeholders. */
function literalText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  const [only, ...others] = node.type === 'TemplateLiteral' ? (node.quasis as Node[]) : [];
  if (only === undefined || others.length > 0) return undefined;
  return (only.value as { cooked: string }).cooked;
}

/** The names of an object literal's properties. Undefined if it is not a literal or spreads another object. */
function keysOf(node: Node | undefined): readonly string[] | undefined {
  if (node === undefined) return [];
  if (node.type !== 'ObjectExpression') return undefined;
  const keys: string[] = [];
  for (const property of node.properties as Node[]) {
    const key = property.key as Node | undefined;
    if (property.type !== 'Property' || property.computed === true || key === undefined) return undefined;
    keys.push(String(key.type === 'Identifier' ? key.name : key.value));
  }
  return keys;
}

/** Most files of the server have none, and need not be parsed. */
const MAY_HAVE_TEXTS = /\b(?:t|msg|rich|richIn)\(|html`/;

/** The texts of all sources of a workspace. The gallery and the tests are for us and stay English. */
export async function readTexts(workspace: string): Promise<SourceTexts> {
  const texts = new Map<string, Use[]>();
  const findings: Finding[] = [];
  const paths = await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: workspace }));
  const sources = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$|\/(?:gallery|testing)\//.test(path))
    .sort();
  for (const path of sources) {
    const source = await readFile(join(workspace, path), 'utf8');
    if (path.endsWith('.ts') && !MAY_HAVE_TEXTS.test(source)) continue;
    const found = textsOf(path, source);
    findings.push(...found.findings);
    for (const [text, use] of found.uses) {
      const uses = texts.get(text) ?? [];
      uses.push(use);
      texts.set(text, uses);
    }
  }
  return { texts, findings };
}
