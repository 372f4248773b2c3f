/** What the server's operator decides for all organizations. */
export interface ServerRules {
  /** Whether organizations may have channels that are readable without an account. */
  readonly webPublicChannels: boolean;
  /** Whether users without an uploaded picture get one from gravatar. */
  readonly gravatar: boolean;
  /** Whether organizations may choose BigBlueButton for video calls. */
  readonly bigBlueButton: boolean;
  /** The host name of an organization, by its subdomain. */
  hostOf(subdomain: string): string;
}
