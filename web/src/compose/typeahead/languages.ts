import { t } from '../../base/i18n.ts';
import type { Suggestion } from './suggestion.ts';
import type { Trigger } from './trigger.ts';

const MAX_SUGGESTIONS = 8;

/** The names that people write behind a fence. Frequent ones come first among equal matches. */
const LANGUAGES = (
  'quote spoiler math text python javascript typescript java bash json sql c cpp csharp go rust html css php ruby yaml ' +
  'kotlin swift diff markdown xml toml ini dockerfile makefile powershell jsx tsx scss less graphql lua perl r scala haskell ' +
  'elixir erlang clojure dart groovy julia matlab nginx objectivec ocaml fsharp vbnet vim latex lisp scheme prolog ' +
  'fortran ada assembly cmake console coffeescript crystal d delphi django elm erb gherkin gradle haml handlebars haxe ' +
  'http nim nix protobuf puppet racket reasonml sas smalltalk solidity stata svelte tcl terraform twig verilog vhdl vue ' +
  'wasm zig awk applescript arduino batch brainfuck bnf abnf ebnf glsl'
).split(' ');

/** Languages of code blocks, and the blocks that are no code: quotes, spoilers, formulas. */
export function languageSuggestions({ query, fence = '```' }: Trigger): Suggestion[] {
  const wanted = query.toLowerCase();
  // An empty fence is complete already. Enter then begins the code.
  if (wanted === '') return [];
  return LANGUAGES.filter((name) => name.startsWith(wanted))
    .slice(0, MAX_SUGGESTIONS)
    .map((name) => ({
      key: `language ${name}`,
      label: name,
      ...detailOf(name),
      icon: { kind: 'code' },
      insert: `${name}\n\n${fence}`,
      cursor: name.length + 1,
    }));
}

function detailOf(name: string): { readonly detail?: string } {
  const details: Readonly<Record<string, string>> = {
    quote: t('A quote'),
    spoiler: t('A text that readers open'),
    math: t('A formula'),
    text: t('Without colours'),
  };
  const detail = details[name];
  return detail === undefined ? {} : { detail };
}
