/** The names of languages as code blocks show them. Playgrounds belong to one of these, or to another name. */
const COMMON_LANGUAGES = [
  'Bash',
  'C',
  'C#',
  'C++',
  'Clojure',
  'CSS',
  'Dart',
  'Elixir',
  'Erlang',
  'F#',
  'Go',
  'Groovy',
  'Haskell',
  'HTML',
  'Java',
  'JavaScript',
  'JSON',
  'Julia',
  'Kotlin',
  'Lua',
  'Matlab',
  'OCaml',
  'Perl',
  'PHP',
  'PowerShell',
  'Python',
  'Ruby',
  'Rust',
  'Scala',
  'SQL',
  'Swift',
  'TeX',
  'TypeScript',
  'XML',
  'YAML',
];

/** Languages whose names begin with the text. */
export function languagesFor(text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return COMMON_LANGUAGES.filter((name) => name.toLowerCase().startsWith(wanted));
}

/** The usual spelling of a language: `python` becomes `Python`. Unknown names stay. */
export function languageName(text: string): string {
  const wanted = text.trim();
  return COMMON_LANGUAGES.find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? wanted;
}
