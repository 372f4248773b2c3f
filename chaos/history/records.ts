/** What a run records: the requests of the clients, the faults, and what the harness finds at the end. */

/** `refused`: the server says that it did nothing. `unknown`: it says that it may have acted, or says nothing. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** Times are milliseconds since the begin of the run. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

export interface Request extends Span {
  /** Who requested. */
  readonly client: string;
  /** The name of the host that got the request: a process, or the balancer. */
  readonly at: string;
  readonly outcome: Outcome;
  /** The status of the response. Undefined without one. */
  readonly status?: number;
}

export interface Message {
  readonly id: number;
  readonly channel: string;
  readonly content: string;
}

export interface Send extends Request {
  readonly kind: 'send';
  readonly channel: string;
  /** No other message has it. */
  readonly content: string;
  /** The clients that can read the channel during the whole run. */
  readonly readers: readonly string[];
  /** Set if it was acknowledged. */
  readonly id?: number;
}

export interface Registration extends Request {
  readonly kind: 'registration';
  /** Set if it was acknowledged. */
  readonly queue?: string;
}

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: Message;
}

export interface Poll extends Request {
  readonly kind: 'poll';
  readonly queue: string;
  /** Without heartbeats. */
  readonly events: readonly ReceivedEvent[];
  /** Whether the server said that the queue does not exist, so that the client must register again. */
  readonly isGone?: boolean;
}

/** A fetch of the newest messages of a channel. */
export interface Read extends Request {
  readonly kind: 'read';
  readonly channel: string;
  readonly messages: readonly Message[];
}

/** A change of who can read a channel. */
export interface AccessChange extends Request {
  readonly kind: 'access';
  readonly reader: string;
  readonly channel: string;
  readonly grants: boolean;
}

/** A request for work that happens later. */
export interface Planned extends Request {
  readonly kind: 'planned';
  readonly job: 'mail' | 'scheduled message';
  /** No other one has it. */
  readonly name: string;
}

/** A login with a wrong password. */
export interface Login extends Request {
  readonly kind: 'login';
  readonly account: string;
}

export interface OtherRequest extends Request {
  readonly kind: 'other';
  readonly what: string;
}

/** A client's state after its events, compared with that of a registration. */
export interface Comparison extends Span {
  readonly kind: 'comparison';
  readonly client: string;
  /** Undefined if they are equal. */
  readonly difference?: string;
}

/** The time from the first effect of a fault until everything works again. */
export interface Fault extends Span {
  readonly kind: 'fault';
  readonly name: string;
  /** The hosts that owe no response to a client meanwhile. */
  readonly silent: readonly string[];
  /** Whether a process of Heddle died, so that a job can happen twice. */
  readonly kills?: boolean;
}

/** A promotion of a standby that lacked what was acknowledged in this time. */
export interface Loss extends Span {
  readonly kind: 'loss';
}

/** All messages that a process returned at the end. */
export interface Stored {
  readonly kind: 'stored';
  readonly at: string;
  readonly messages: readonly Message[];
}

/** The ids of all events of the log at the end, in order. */
export interface Logged {
  readonly kind: 'logged';
  readonly ids: readonly number[];
}

/** How often a planned job had happened at the end. */
export interface Done {
  readonly kind: 'done';
  readonly name: string;
  readonly times: number;
}

export type ClientRequest = Send | Registration | Poll | Read | AccessChange | Planned | Login | OtherRequest;
export type HistoryRecord = ClientRequest | Comparison | Fault | Loss | Stored | Logged | Done;
export type History = readonly HistoryRecord[];

/** The records of one kind, in the order of the history. */
export function ofKind<Kind extends HistoryRecord['kind']>(
  history: History,
  kind: Kind,
): readonly Extract<HistoryRecord, { readonly kind: Kind }>[] {
  return history.filter((each): each is Extract<HistoryRecord, { readonly kind: Kind }> => each.kind === kind);
}

export function isRequest(each: HistoryRecord): each is ClientRequest {
  return 'outcome' in each;
}

/** Whether a promotion may have lost the effect of what happened in this time. */
export function mayBeLost(history: History, { begin, end }: Span): boolean {
  return ofKind(history, 'loss').some((loss) => begin <= loss.end && end >= loss.begin);
}

/** How many promotions with loss were over at this time. Ids of events and queues are valid within one such epoch. */
export function epochAt(history: History, time: number): number {
  return ofKind(history, 'loss').filter(({ end }) => end <= time).length;
}
