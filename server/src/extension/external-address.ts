import { type Config, externalUrl } from '../config.ts';

/** The URLs of the server's organizations. The port may be unknown until the server listens. */
export class ExternalAddress {
  #base: URL;
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
    this.#base = new URL(externalUrl(config, config.port));
  }

  /** Sets the port on which the server listens. */
  listensOn(port: number): void {
    this.#base = new URL(externalUrl(this.#config, port));
  }

  /** The base URL of the organization at a subdomain ('' is the root), without a slash at the end. */
  of(subdomain: string): string {
    if (subdomain === '') return this.#base.origin;
    return `${this.#base.protocol}//${subdomain}.${this.#base.host}`;
  }

  /** The organization's host name, without the port. */
  hostOf(subdomain: string): string {
    return new URL(this.of(subdomain)).hostname;
  }
}
