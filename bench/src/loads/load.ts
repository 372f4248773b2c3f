import type { Address } from '../harness/http-connection.ts';

/** Parameters and results are plain JSON values, because they cross a process boundary. */
export interface LoadContext {
  /** Notifies the orchestrating process of a stage and waits until that process continues the load. */
  reached(stage: string): Promise<void>;
}

/** A load, which runs in the generator process. */
export type Load<Parameters, Result> = (parameters: Parameters, context: LoadContext) => Promise<Result>;

export interface Target {
  readonly address: Address;
}
