import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { escapeAttribute } from './html-text.ts';

/**
 * Highlighting in the form that clients of this API parse: one flat row of spans. Their classes are the short names of Pygments' standard
 * tokens. highlight.js finds the scopes, and the innermost scope with a counterpart decides.
 */
const CLASS_BY_SCOPE: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'kc',
  'char.escape': 'se',
  class: 'nc',
  code: 's',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  formula: 'm',
  keyword: 'k',
  link: 'nl',
  literal: 'kc',
  meta: 'cp',
  'meta.prompt': 'gp',
  name: 'nt',
  number: 'mi',
  operator: 'o',
  property: 'na',
  punctuation: 'p',
  quote: 'ge',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  symbol: 'ss',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  type: 'kt',
  variable: 'nv',
  'variable.constant': 'no',
  'variable.language': 'bp',
};
/** Scopes that only say what else is inside. Their own text is plain, not of the scope around them. */
const PLAIN_SCOPES = new Set(['subst', 'params', 'tag', 'function']);

const PLAIN = '';
const load = createRequire(import.meta.url);

/** Receives the scopes of one piece of code. highlight.js makes one for each, and one for each embedded language. */
class PygmentsEmitter {
  /** Needed of emitters by the library; embedded code arrives through `__addSublanguage`. */
  readonly root: { readonly pieces: readonly Piece[] };
  readonly #pieces: Piece[] = [];
  readonly #scopes: string[] = [];

  constructor() {
    this.root = { pieces: this.#pieces };
  }

  startScope(scope: string): void {
    this.#scopes.push(classOfScope(scope) ?? this.#current());
  }

  endScope(): void {
    this.#scopes.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    if (text === '') return;
    const className = this.#current();
    const last = this.#pieces.at(-1);
    if (last?.className === className) last.text += text;
    else this.#pieces.push({ className, text });
  }

  __addSublanguage(emitter: PygmentsEmitter): void {
    this.#pieces.push(...emitter.root.pieces);
  }

  finalize(): void {
    this.#scopes.length = 0;
  }

  toHTML(): string {
    let html = '';
    for (const { className, text } of this.#pieces) {
      const escaped = escapeAttribute(text);
      html += className === PLAIN ? escaped : `<span class="${refine(className, text)}">${escaped}</span>`;
    }
    return html;
  }

  #current(): string {
    return this.#scopes.at(-1) ?? PLAIN;
  }
}

interface Piece {
  readonly className: string;
  text: string;
}

/** The most specific counterpart: `title.function.invoke` is `title` if nothing longer is known. */
function classOfScope(scope: string): string | undefined {
  let name = scope;
  for (;;) {
    const className = CLASS_BY_SCOPE[name];
    if (className !== undefined) return className;
    if (PLAIN_SCOPES.has(name)) return PLAIN;
    const dot = name.lastIndexOf('.');
    if (dot < 0) return undefined;
    name = name.slice(0, dot);
  }
}

/** Pygments distinguishes by form what highlight.js has one scope for. */
function refine(className: string, text: string): string {
  switch (className) {
    case 'mi':
      if (/^[+-]?0x/i.test(text)) return 'mh';
      if (/^[+-]?0b/i.test(text)) return 'mb';
      return /[.e]/i.test(text) ? 'mf' : 'mi';
    case 's':
      if (text.startsWith("'")) return 's1';
      return text.startsWith('"') ? 's2' : 's';
    case 'c1':
      return text.startsWith('/*') || text.startsWith('<!--') ? 'cm' : 'c1';
    case 'cp':
      if (text.startsWith('#!')) return 'ch';
      return text.startsWith('@') ? 'nd' : 'cp';
    default:
      return className;
  }
}

let library: HLJSApi | undefined;

function newLibrary(): HLJSApi {
  const made = (load('highlight.js/lib/core') as HLJSApi).newInstance();
  made.configure({ __emitter: PygmentsEmitter });
  return made;
}

/** The library and its grammars are loaded when a message first needs them: all of them would cost every start. */
function libraryWith(grammar: string): HLJSApi {
  library ??= newLibrary();
  if (library.getLanguage(grammar)) return library;
  library.registerLanguage(grammar, load(`highlight.js/lib/languages/${grammar}`) as LanguageFn);
  if (grammar === 'xml') {
    libraryWith('javascript');
    libraryWith('css');
  }
  return library;
}

/** Code as escaped HTML with spans. `grammar` is one of those in `code-languages.ts`. */
export function highlightCode(code: string, grammar: string): string {
  return libraryWith(grammar).highlight(code, { language: grammar, ignoreIllegals: true }).value;
}
