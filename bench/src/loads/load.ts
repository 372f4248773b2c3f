import type { Address } from '../harness/http-connection.ts';

/** Parameters and results cross a process boundary: plain JSON values only. */
export interface LoadContext {
  /** Tells the orchestrating process that a stage is reached, and waits until it has looked at what it wants to see. */
  reached(stage: string): Promise<void>;
}

/** What a load does, in the generator's process. */
export type Load<Parameters, Result> = (parameters: Parameters, context: LoadContext) => Promise<Result>;

export interface Target {
  readonly address: Address;
}
