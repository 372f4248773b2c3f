/**
 * How a phone app gets a key from a login in a browser: the app opens the login page with a one-time pad (`mobile_flow_otp`, 64 hexadecimal
 * digits). The server then opens the app with the key XOR the pad. Other apps that the system may open instead do not know the pad.
 */
export interface AppLogin {
  /** Base URL of the organization. */
  readonly url: string;
  readonly email: string;
  readonly userId: number;
  /** ASCII, with as many characters as the pad has bytes. */
  readonly apiKey: string;
}

/** The address that opens the app. */
export function appAddress({ url, email, userId, apiKey }: AppLogin, pad: string): string {
  const query = new URLSearchParams({
    realm: url,
    email,
    otp_encrypted_api_key: xor(Buffer.from(apiKey, 'latin1'), Buffer.from(pad, 'hex')).toString('hex'),
    user_id: String(userId),
  });
  return `zulip://login?${query}`;
}

function xor(bytes: Buffer, pad: Buffer): Buffer {
  if (bytes.length !== pad.length) throw new Error('a key is as long as its pad');
  return Buffer.from(bytes.map((byte, index) => byte ^ (pad[index] ?? 0)));
}
