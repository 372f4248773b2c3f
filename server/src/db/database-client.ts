import pg from 'pg';
import { breakOff } from './break-off.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { DatabaseUnavailableError, isReadOnly, refusesWrites, UnknownOutcomeError } from './failures.ts';
import type { Primary } from './host-question.ts';
import type { PrimarySearch } from './primary-search.ts';

/** What PostgreSQL reports about a server without writes, at the start of a connection and when it changes. */
const READ_ONLY_PARAMETERS = ['in_hot_standby', 'default_transaction_read_only'];

/** The parameter by which this process refuses changes itself (`commit-outage.ts`). */
const OWN_REFUSAL = 'default_transaction_read_only';

interface ReportedParameter {
  readonly parameterName: string;
  readonly parameterValue: string;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection to the database. If the URL names several hosts, it connects to the one that accepts writes, and ends when
 * that stops accepting them.
 */
export class DatabaseClient extends pg.Client {
  readonly #search: PrimarySearch | undefined;
  #primary: Primary | undefined;
  #isReadOnly = false;
  #refusesChanges = false;

  constructor(config: pg.ClientConfig & Pick<ConnectionSettings, 'primary'>) {
    super(config);
    // It can break before its owner listens. An error without a listener would end the process; the next statement reports it too.
    this.on('error', () => undefined);
    this.#search = config.primary;
    if (this.#search === undefined) return;
    this.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (isReadOnly(code) && !this.#refusesChanges) this.#leave();
    });
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ReportedParameter) => {
      if (!READ_ONLY_PARAMETERS.includes(parameterName) || parameterValue !== 'on') return;
      if (parameterName !== OWN_REFUSAL || !this.#refusesChanges) this.#leave();
    });
  }

  /**
   * From now on, the connection refuses changes, or accepts them again. Its host still accepts them, so the connection does not end. Call it
   * outside of transactions.
   */
  refuseChanges(isRefusing: boolean): void {
    if (this.#refusesChanges === isRefusing) return;
    this.#refusesChanges = isRefusing;
    // It goes before the statements of the caller. If it fails, the connection is broken, and they fail as well.
    this.query(isRefusing ? `SET ${OWN_REFUSAL} = on` : `RESET ${OWN_REFUSAL}`).catch(() => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const search = this.#search;
    if (search === undefined) {
      if (callback === undefined) return super.connect();
      super.connect(callback);
      return undefined;
    }
    const connected = this.#connectTo(search);
    if (callback === undefined) return connected;
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: unknown) => process.nextTick(callback, error),
    );
    return undefined;
  }

  async #connectTo(search: PrimarySearch): Promise<this> {
    this.#primary = await this.#found(search);
    this.#goTo(this.#primary);
    try {
      await super.connect();
    } catch (error) {
      // A host without a free connection is still the primary.
      if (!(error instanceof pg.DatabaseError && refusesWrites(error.code))) search.forget();
      throw error;
    }
    if (this.#isReadOnly) throw new DatabaseUnavailableError(`${this.#primary.name} does not accept writes`);
    search.opened(this, this.#primary);
    return this;
  }

  /** During the search, the owner of this connection may break it off. */
  async #found(search: PrimarySearch): Promise<Primary> {
    const socket = this.connection.stream; // wire name: Node's word for the socket
    // `pg` listens only from the connection on, and an error without a listener would end the process.
    const onError = () => undefined;
    socket.on('error', onError);
    try {
      const primary = await search.find();
      if (socket.destroyed) throw socket.errored ?? new DatabaseUnavailableError('Connection terminated');
      socket.off('error', onError);
      return primary;
    } catch (error) {
      this.emit('end');
      throw error;
    }
  }

  #goTo({ host, port }: Primary): void {
    Object.assign(this, { host, port });
    // A file of passwords (`~/.pgpass`) is read with these.
    if ('connectionParameters' in this) Object.assign(Object(this.connectionParameters), { host, port });
  }

  /** Its last statement gets the response of PostgreSQL first. */
  #leave(): void {
    if (this.#isReadOnly) return;
    this.#isReadOnly = true;
    setImmediate(() => {
      // A commit may be on its way, whose transaction began before.
      breakOff(this, new UnknownOutcomeError('the host does not accept writes any more'));
      if (this.#primary !== undefined) void this.#search?.leave(this.#primary);
    });
  }
}
