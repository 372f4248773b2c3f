import type { ChildProcess } from 'node:child_process';

/** A connection as `node:cluster` passes it to a worker. */
interface Handle {
  close(): void;
}

/** The messages of `node:cluster` that matter here. */
interface Passing {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

type Send = (message: Passing, handle?: Handle, ...more: readonly unknown[]) => boolean;

/**
 * Closes the connection that a worker has not taken when it ends. `node:cluster` forgets that connection, so its client would wait for ever. A
 * worker gets the next connection of a port only after it took the last one, so there is one for each port at most.
 */
export function closeUntaken(child: ChildProcess): void {
  const untaken = new Map<number, Handle>();
  const send = child.send.bind(child) as unknown as Send;
  const remember: Send = (message, handle, ...more) => {
    if (message.act === 'newconn' && message.seq !== undefined && handle !== undefined)
      untaken.set(message.seq, handle);
    return send(message, handle, ...more);
  };
  child.send = remember as unknown as ChildProcess['send'];
  child.on('internalMessage', ({ ack }: Passing) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}
