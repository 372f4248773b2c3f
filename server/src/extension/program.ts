/** A process that has ended. */
export interface EndedProcess {
  /** null if a signal ended it. */
  readonly code: number | null;
  /** The end of standard error. */
  readonly err: string;
}

/** The installed program `heddle`, whose commands the server runs in processes of their own. */
export interface Program {
  /**
   * Runs a command with the settings of this server. It has the pipe of standard input, which ends with this process: a command can stop then.
   * @param signal stops the command
   */
  run(args: readonly string[], signal: AbortSignal): Promise<EndedProcess>;
}
