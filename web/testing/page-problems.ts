/** Collects what goes wrong in a page without anyone looking: errors, refused scripts and styles, failed requests. */
import type { BrowserContext } from 'playwright-core';

/** Problems of the pages of one test. */
export class PageProblems {
  readonly #found: { readonly page: string; readonly problem: string }[] = [];
  readonly #expected: RegExp[] = [];

  /** Watches all pages of the profile, also those that it opens itself. */
  async watch(context: BrowserContext, name: string): Promise<void> {
    const add = (problem: string) => void this.#found.push({ page: name, problem });
    await context.addInitScript(reportViolations);
    context.on('weberror', (error) => add(`uncaught: ${error.error().stack || error.error().message}`));
    context.on('console', (message) => {
      const text = message.text();
      // The same request is reported with its status by the handler of responses.
      if (message.type() !== 'error' || text.startsWith('Failed to load resource')) return;
      add(`console: ${text} (${message.location().url})`);
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A page that is left ends its requests, and so does a search that is not needed any more.
      if (reason === 'net::ERR_ABORTED') return;
      add(`no response: ${request.method()} ${request.url()}: ${reason}`);
    });
    context.on('response', (response) => {
      if (response.status() < 400) return;
      add(`status ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  /** Problems with this text are part of the test. It is a part of `status 400: POST http://…`, for example. */
  expect(...problems: readonly (string | RegExp)[]): void {
    for (const one of problems) this.#expected.push(typeof one === 'string' ? new RegExp(escaped(one)) : one);
  }

  /** The problems that no test expects, one per line. */
  unexpected(): string[] {
    const unknown = this.#found.filter(({ problem }) => !this.#expected.some((one) => one.test(problem)));
    return unknown.map(({ page, problem }) => `${page}: ${problem}`);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Runs in the page before its scripts. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile }) => {
    // biome-ignore lint/suspicious/noConsole: the test reads the console of the page
    console.error(`content security policy: ${violatedDirective} blocked ${blockedURI} ${sample} (${sourceFile})`);
  });
}
