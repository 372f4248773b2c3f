/** Reads mails in a worker process, with limits. */
import { extname, join } from 'node:path';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { RateLimiter } from '../../http/limits/limits.ts';
import { WorkerLimitError, WorkerProcess } from '../../worker-process/worker-process.ts';
import type { ReadingRequest, ReadMail } from './parsing.ts';
import * as refusals from './refusal.ts';

const PROGRAM = join(import.meta.dirname, `parsing-program${extname(import.meta.filename)}`);

/** Processor time. A mail of 25 MiB takes about a second. */
const PARSE_TIMEOUT_MS = 5_000;
const MAX_DELAY_MILLISECONDS = timeoutOf(100_000);
const MAX_HEAP_MEGABYTES = 256;
/** Attachments, which are at most as large as the mail, and the text. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const MAX_WAITING_MAILS = 100;
/** Mails of an account that exceed a limit, in an hour. Then its mails are not read for the rest of that hour. */
const EXCESSES = { requests: 3, windowSeconds: 3600 };

export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

export class MailReader {
  readonly #excesses = new RateLimiter(EXCESSES);
  readonly #worker = new WorkerProcess({
    program: PROGRAM,
    maxHeapMegabytes: MAX_HEAP_MEGABYTES,
    maxMilliseconds: PARSE_TIMEOUT_MS,
    maxDelayMilliseconds: MAX_DELAY_MILLISECONDS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    maxWaiting: MAX_WAITING_MAILS,
    refusal: refusals.busy,
  });

  /**
   * @param account the key of the account that the mail counts for
   * @throws MailRefusal
   */
  async read(
    account: string,
    request: ReadingRequest,
    source: readonly Buffer[],
  ): Promise<{ readonly mail: ReadMail; readonly files: readonly ReceivedFile[] }> {
    try {
      const { value, bytes } = await this.#worker.run(() => {
        if (!this.#excesses.take(account).isAllowed) throw refusals.tooManyMails();
        return { value: request, bytes: [source] };
      });
      this.#excesses.giveBack(account);
      const mail = value as ReadMail;
      return {
        mail,
        files: mail.attachments.map((file, index) => ({ ...file, content: bytes[index] ?? Buffer.alloc(0) })),
      };
    } catch (error) {
      throw error instanceof WorkerLimitError ? refusals.unreadable() : error;
    }
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }
}
