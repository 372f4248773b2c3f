/** A language of code blocks. `grammar` is highlight.js's name for it; without one the code is shown plain. */
export interface CodeLanguage {
  /** What clients show and match playgrounds by: the name that Pygments gives the language. */
  readonly displayName: string;
  readonly grammar: string | undefined;
  /** What it is called after a fence, in lower case. */
  readonly aliases: readonly string[];
}

/** One language a line: display name | highlight.js grammar | what people write after the fence. */
const TABLE = `
ABNF|abnf|abnf
ActionScript 3|actionscript|actionscript actionscript3 as3 as
Ada|ada|ada ada95 ada2005
ApacheConf|apache|apache apacheconf aconf
AppleScript|applescript|applescript osascript
Arduino|arduino|arduino ino
Awk|awk|awk gawk mawk nawk
Bash|bash|bash sh ksh zsh shell-script
Bash Session|shell|console shell-session shell bash-session
Batchfile|dos|bat batch dosbatch winbatch cmd dos
BNF|bnf|bnf
Brainfuck|brainfuck|brainfuck bf
C|c|c h
C#|csharp|csharp c# cs
C++|cpp|cpp c++ cc cxx hpp hh h++
CMake|cmake|cmake
CSS|css|css
Clojure|clojure|clojure clj cljs clojurescript
CoffeeScript|coffeescript|coffeescript coffee coffee-script
Common Lisp|lisp|common-lisp cl lisp
Coq|coq|coq rocq
Crystal|crystal|crystal cr
D|d|d
Dart|dart|dart
Delphi|delphi|delphi pascal pas objectpascal
Diff|diff|diff udiff patch
Django/Jinja|django|django jinja jinja2
Docker|dockerfile|docker dockerfile
EBNF|ebnf|ebnf
ERB|erb|erb
Elixir|elixir|elixir ex exs
Elm|elm|elm
EmacsLisp|lisp|emacs-lisp elisp emacs
Erlang|erlang|erlang erl
F#|fsharp|fsharp f# fs
Fortran|fortran|fortran f90 f95
GLSL|glsl|glsl
Gherkin|gherkin|gherkin cucumber feature
Go|go|go golang
Gradle|gradle|gradle
GraphQL|graphql|graphql gql
Groovy|groovy|groovy
HTML|xml|html xhtml htm
HTML+Handlebars|handlebars|html+handlebars handlebars hbs
HTTP|http|http
Haml|haml|haml
Haskell|haskell|haskell hs
Haxe|haxe|haxe hx
INI|ini|ini cfg dosini
Inform 7|inform7|inform7 i7
JSON|json|json json-object jsonc json5
Java|java|java
JavaScript|javascript|javascript js jsx mjs cjs
Julia|julia|julia jl
Kotlin|kotlin|kotlin kt kts
LLVM|llvm|llvm
LessCss|less|less
Lua|lua|lua
Makefile|makefile|makefile make mf bsdmake
Mathematica|mathematica|mathematica mma nb wl
Matlab|matlab|matlab octave
Markdown|markdown|markdown md mkd
MIPS|mipsasm|mips mipsasm
NASM|x86asm|nasm asm x86asm
NSIS|nsis|nsis nsi nsh
Nginx configuration file|nginx|nginx nginxconf
Nim|nim|nim nimrod
Nix|nix|nix nixos
OCaml|ocaml|ocaml ml
Objective-C|objectivec|objective-c objectivec obj-c objc mm
PHP|php|php php3 php4 php5 html+php
Perl|perl|perl pl perl6 raku
PostgreSQL SQL dialect|pgsql|postgresql postgres pgsql plpgsql
PowerShell|powershell|powershell pwsh posh ps1 psm1
Prolog|prolog|prolog
Properties|properties|properties jproperties
Protocol Buffer|protobuf|protobuf proto
Puppet|puppet|puppet pp
Python|python|python py sage python3 py3 bazel starlark pyi
Python 2.x|python|python2 py2
Python console session|python-repl|pycon python-console
QML|qml|qml qbs
S|r|r splus s rscript
ReasonML|reasonml|reasonml reason re
Ruby|ruby|ruby rb duby
Rust|rust|rust rs
SAS|sas|sas
SCSS|scss|scss
Sass|scss|sass
SQL|sql|sql mysql sqlite sqlite3
Scala|scala|scala
Scheme|scheme|scheme scm
Racket|scheme|racket rkt
Smali|smali|smali
Smalltalk|smalltalk|smalltalk squeak st
Solidity||solidity
Standard ML|sml|sml
Stan|stan|stan
Stata|stata|stata do
Stylus|stylus|stylus
Swift|swift|swift
TAP|tap|tap
TOML|ini|toml
Tcl|tcl|tcl
TeX|latex|tex latex
Terraform||terraform tf hcl
Text only||text plain txt none
Thrift|thrift|thrift
Twig|twig|twig
TypeScript|typescript|typescript ts tsx mts cts
VB.net|vbnet|vb.net vbnet lobas oobas sobas
VBScript|vbscript|vbscript vbs
VHDL|vhdl|vhdl
Vala|vala|vala vapi
Verilog|verilog|verilog v sv systemverilog
VimL|vim|vim viml
WebAssembly|wasm|wasm wast wat
XML|xml|xml xsl rss xslt xsd wsdl wsf svg plist
XQuery|xquery|xquery xqy xq xql xqm
YAML|yaml|yaml yml
`;

/** Every language that has a name. */
export const CODE_LANGUAGES: readonly CodeLanguage[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [displayName = '', grammar = '', aliases = ''] = line.split('|');
    return { displayName, grammar: grammar === '' ? undefined : grammar, aliases: aliases.split(' ') };
  });

const languageByAlias = new Map(
  CODE_LANGUAGES.flatMap((language) => language.aliases.map((alias) => [alias, language] as const)),
);

/** The language that the word after a fence names, ignoring case. */
export function codeLanguage(written: string): CodeLanguage | undefined {
  return languageByAlias.get(written.toLowerCase());
}
