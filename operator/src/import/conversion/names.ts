/** Names that must be different, whatever their case. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The last number of each name that occurs several times. */
  readonly #numbers = new Map<string, number>();

  /**
   * @param numbered the name with a number
   * @returns the name, with a number if it is taken
   */
  add(name: string, numbered = (number: number) => `${name} (${number})`): string {
    let unique = name;
    let number = this.#numbers.get(name.toLowerCase()) ?? 1;
    while (this.#taken.has(unique.toLowerCase())) {
      number += 1;
      unique = numbered(number);
    }
    this.#numbers.set(name.toLowerCase(), number);
    this.#taken.add(unique.toLowerCase());
    return unique;
  }

  has(name: string): boolean {
    return this.#taken.has(name.toLowerCase());
  }
}
