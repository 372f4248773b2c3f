/** What we use of the package. Its published types are outdated. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | undefined>> });
    /** The acceptable ones of the available encodings, best first. `preferred` decides between those that the client likes equally. */
    encodings(available: readonly string[], options?: { readonly preferred?: readonly string[] }): readonly string[];
  }
}
