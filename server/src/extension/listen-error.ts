/** The process cannot listen on an address of its settings: the reason for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  /** @param advice what to set, as a sentence */
  constructor({ host, port }: { readonly host: string; readonly port: number }, advice: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const message = cause instanceof Error ? cause.message : String(cause);
    const reason = code === 'EADDRINUSE' ? 'another program uses this port' : message;
    super(`Cannot listen on ${host} port ${port}: ${reason}. ${advice}`, { cause });
  }
}
